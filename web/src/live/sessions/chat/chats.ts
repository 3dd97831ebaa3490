import type { Desktop } from '../../../api/devices/desktops.js';
import { atSignOut } from '../../../state/store.js';
import { ChatSession } from './chat-session.js';

/*
 * The chats of this page, with their history, until the sign-out. Nothing of them is stored.
 */

/** Chats by device and desktop, the one that was opened last at the end. */
const chats = new Map<string, ChatSession>();

atSignOut(() => {
  for (const chat of chats.values()) chat.end();
  chats.clear();
});

/** The chat with the person at a desktop. The processes of desktops change with a restart, their names do not. */
export function chatAt(deviceId: string, deviceName: string, desktop: Desktop): ChatSession {
  const key = [deviceId, desktop.username, desktop.name].join(' ');
  const chat = chats.get(key) ?? new ChatSession(deviceId, deviceName, desktop);
  chats.set(key, chat);
  return chat;
}

/** The last chat at a device that has something to show. */
export const lastChat = (deviceId: string): ChatSession | undefined =>
  [...chats.values()].findLast((chat) => chat.deviceId === deviceId && chat.entries.length > 0);
