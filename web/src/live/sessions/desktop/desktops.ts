import { textForUser } from '../../../state/user-data.js';
import { claim } from '../claims.js';
import { newId } from '../new-id.js';
import { addSession, currentSessions, hasRoom, MAXIMUM_SESSIONS } from '../sessions.js';
import { parseDesktops, type RememberedDesktop, type ShownDesktop } from './desktop-list.js';
import { DesktopSession } from './desktop-session.js';

/*
 * The desktops of this tab. The tab remembers them, so that they are there again after a reload.
 */

const KEY = 'desktops';

let userId = '';

const currentDesktops = (): DesktopSession[] =>
  currentSessions().filter((session): session is DesktopSession => session instanceof DesktopSession);

/** The desktop of a device that is shown; there is one of each device at most. */
export const currentDesktop = (deviceId: string): DesktopSession | undefined =>
  currentDesktops().find((desktop) => desktop.deviceId === deviceId);

/** One without a user belongs to no one: it is not remembered before {@link restoreDesktops}, which pages call first. */
function remember(): void {
  const desktops = currentDesktops().filter(({ hasBeenOpen }) => hasBeenOpen);
  if (desktops.length === 0) sessionStorage.removeItem(KEY);
  else if (userId !== '')
    sessionStorage.setItem(
      KEY,
      textForUser(
        userId,
        desktops.map(({ remembered }) => remembered),
      ),
    );
}

function start(desktop: RememberedDesktop, publicUrl: string, wasOpen: boolean): DesktopSession {
  const session = new DesktopSession(desktop, publicUrl, remember, wasOpen);
  addSession(session);
  return session;
}

const nameOf = (desktopId: string): string => `desktop ${desktopId}`;

/** Shows a desktop of a device, which knows the service as `publicUrl`; null when too much runs already. */
export function openDesktop(desktop: ShownDesktop, publicUrl: string): DesktopSession | null {
  if (!hasRoom()) return null;
  const desktopId = newId();
  void claim(nameOf(desktopId));
  return start({ ...desktop, desktopId }, publicUrl, false);
}

let restoring: Promise<void> | null = null;

/** Brings back the desktops that this tab had before it was reloaded. */
export function restoreDesktops(ofUser: string, publicUrl: string): Promise<void> {
  if (userId !== ofUser) restoring = null;
  userId = ofUser;
  restoring ??= restore(publicUrl);
  return restoring;
}

async function restore(publicUrl: string): Promise<void> {
  await Promise.all(
    parseDesktops(sessionStorage.getItem(KEY), userId, MAXIMUM_SESSIONS).map(async (desktop) => {
      if ((await claim(nameOf(desktop.desktopId))) && currentDesktop(desktop.deviceId) === undefined) start(desktop, publicUrl, true);
    }),
  );
}
