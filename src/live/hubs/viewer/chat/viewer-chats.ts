import { Inject, Injectable, Optional } from '@nestjs/common';

import { agentClient, Timestamp, viewerClient, viewerHub } from '#libs/contracts';

import { devicePermission } from '../../../../access/authorization/permissions/permission.js';
import { StandingRights, type EndCause } from '../../../../access/authorization/revocation/standing-rights.js';
import { DeviceLink } from '../../../../devices/device-link/device-link.js';
import { Clock } from '../../../../platform/common/runtime/clock.js';
import type { Chat, ConnectedViewer } from '../connections/connected-viewer.js';
import { OTHER_VIEWERS, type OtherViewers } from '../other-viewers.js';

/** The permission that a viewer needs on a device to chat with the person at it. */
export const CHAT_PERMISSION = devicePermission(viewerHub.SendChatMessage2.access.permission);

/** Conversations that one viewer may have at once. Beyond, the one that was used longest ago is closed. */
const MAXIMUM_CHATS = 64;

/**
 * The conversations of viewers with people at devices. One is a window on the device: when its viewer leaves or loses the right, it is
 * closed there at once.
 */
@Injectable()
export class ViewerChats {
  constructor(
    private readonly link: DeviceLink,
    private readonly rights: StandingRights,
    private readonly clock: Clock,
    @Optional() @Inject(OTHER_VIEWERS) private readonly others?: OtherViewers,
  ) {}

  /** Notes that the viewer has a conversation, so that answers may come back. False when the viewer has disconnected already. */
  async use(viewer: ConnectedViewer, deviceId: string, sessionId: string, processId: number): Promise<boolean> {
    if (!viewer.connection.isOpen) return false;
    const [agent] = await Promise.all([this.link.placeOf(deviceId), this.others?.arrived(viewer.connectionId)]);
    if (!viewer.connection.isOpen) return false;
    const key = chatKey(deviceId, sessionId);
    const known = viewer.chats.get(key);
    viewer.chats.delete(key);
    if (known === undefined && viewer.chats.size >= MAXIMUM_CHATS) this.closeOldest(viewer);
    const chat = known ?? this.begin(viewer, deviceId, sessionId);
    chat.processId = processId;
    chat.agent = agent ?? chat.agent;
    viewer.chats.set(key, chat);
    return true;
  }

  /** True if the viewer has that conversation. */
  has(viewer: ConnectedViewer, deviceId: string, sessionId: string): boolean {
    return viewer.chats.has(chatKey(deviceId, sessionId));
  }

  /** Forgets a conversation that the viewer has ended itself. */
  forget(viewer: ConnectedViewer, deviceId: string, sessionId: string): void {
    const chat = viewer.chats.get(chatKey(deviceId, sessionId));
    if (chat !== undefined) this.release(viewer, chat);
  }

  /** Closes the conversations of a viewer that has disconnected. */
  closeAll(viewer: ConnectedViewer): void {
    for (const chat of viewer.chats.values()) this.close(viewer, chat);
  }

  private begin(viewer: ConnectedViewer, deviceId: string, sessionId: string): Chat {
    const chat: Chat = {
      deviceId,
      sessionId,
      processId: 0,
      agent: undefined,
      standing: {
        principal: viewer.principal,
        device: { id: deviceId, permission: CHAT_PERMISSION },
        end: (cause) => this.end(viewer, chat, cause),
      },
    };
    this.rights.hold(chat.standing);
    return chat;
  }

  private closeOldest(viewer: ConnectedViewer): void {
    const oldest = viewer.chats.values().next();
    if (!oldest.done) this.close(viewer, oldest.value);
  }

  /**
   * Ends a conversation that the viewer may not continue. With another key the device is another machine: the window is open on the former
   * one.
   */
  private end(viewer: ConnectedViewer, chat: Chat, cause: EndCause): void {
    if (cause === 'right') {
      this.close(viewer, chat);
      return this.tellEnd(viewer, chat);
    }
    this.release(viewer, chat);
    this.link.sendTo(chat.agent, agentClient.CloseChatSession, chat.sessionId, chat.processId);
  }

  /** Ends the conversation and closes its window on the device. */
  private close(viewer: ConnectedViewer, chat: Chat): void {
    this.release(viewer, chat);
    // A device that was deleted is not reached any more, but its window is still open.
    this.link.sendLatest(chat.deviceId, chat.agent, agentClient.CloseChatSession, chat.sessionId, chat.processId);
  }

  /** Tells the viewer that the conversation is over: an answer without text and without a person. */
  private tellEnd({ connection }: ConnectedViewer, { sessionId, processId }: Chat): void {
    const response = {
      sessionId,
      desktopSessionProcessId: processId,
      message: '',
      senderUsername: '',
      viewerConnectionId: connection.connectionId,
      timestamp: Timestamp.fromDate(this.clock.now()),
    };
    if (connection.isOpen) connection.send(viewerClient.ReceiveChatResponse, [response]);
  }

  private release(viewer: ConnectedViewer, { deviceId, sessionId, standing }: Chat): void {
    this.rights.release(standing);
    viewer.chats.delete(chatKey(deviceId, sessionId));
  }
}

function chatKey(deviceId: string, sessionId: string): string {
  return `${deviceId} ${sessionId}`;
}
