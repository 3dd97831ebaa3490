import { newId } from '../../../state/new-id.js';
import { RememberedSessions } from '../remembered-sessions.js';
import { parseDesktops, type RememberedDesktop, type ShownDesktop } from './desktop-list.js';
import { DesktopSession } from './desktop-session.js';
import { onlyDesktop, WINDOW_KEY } from './display-windows.js';

const desktops = new RememberedSessions<DesktopSession, RememberedDesktop>({
  key: onlyDesktop() === null ? 'desktops' : WINDOW_KEY,
  isOne: (session) => session instanceof DesktopSession,
  idOf: ({ desktopId }) => desktopId,
  parse: (text, userId, most) => parseDesktops(text, userId, most).filter(({ desktopId }) => [null, desktopId].includes(onlyDesktop())),
  make: (desktop, publicUrl, onRemembered, wasOpen) => new DesktopSession(desktop, publicUrl, onRemembered, wasOpen),
});

/** The desktop of a device that is shown. */
export const currentDesktop = (deviceId: string): DesktopSession | undefined => desktops.of(deviceId);

/** Shows a desktop of a device, which knows the service as `publicUrl`; null when too much runs already. */
export const openDesktop = (desktop: ShownDesktop, publicUrl: string): DesktopSession | null =>
  desktops.open({ ...desktop, desktopId: newId() }, publicUrl);

/** Brings back the desktops that this tab had before it was reloaded. */
export const restoreDesktops = (userId: string, publicUrl: string): Promise<void> => desktops.restore(userId, publicUrl);
