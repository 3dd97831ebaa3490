import { textForUser } from '../../../state/user-data.js';
import { claim } from '../claims.js';
import { newId } from '../new-id.js';
import { addSession, currentSessions, hasRoom, MAXIMUM_SESSIONS } from '../sessions.js';
import { parseScreens, type RememberedScreen } from './screen-list.js';
import { ScreenSession } from './screen-session.js';

/*
 * The screens of this tab. The tab remembers them, so that they are there again after a reload.
 */

const KEY = 'screens';

let userId = '';

const currentScreens = (): ScreenSession[] =>
  currentSessions().filter((session): session is ScreenSession => session instanceof ScreenSession);

/** The screen of a device that is shown; there is one of each device at most. */
export const currentScreen = (deviceId: string): ScreenSession | undefined =>
  currentScreens().find((screen) => screen.deviceId === deviceId);

/** One without a user belongs to no one: it is not remembered before {@link restoreScreens}, which pages call first. */
function remember(): void {
  const screens = currentScreens().filter(({ hasBeenOpen }) => hasBeenOpen);
  if (screens.length === 0) sessionStorage.removeItem(KEY);
  else if (userId !== '')
    sessionStorage.setItem(
      KEY,
      textForUser(
        userId,
        screens.map(({ remembered }) => remembered),
      ),
    );
}

function start(screen: RememberedScreen, publicUrl: string, wasOpen: boolean): ScreenSession {
  const session = new ScreenSession(screen, publicUrl, remember, wasOpen);
  addSession(session);
  return session;
}

const nameOf = (screenId: string): string => `screen ${screenId}`;

/** Shows the screen of a device, which knows the service as `publicUrl`; null when too much runs already. */
export function openScreen(deviceId: string, deviceName: string, port: number, publicUrl: string): ScreenSession | null {
  if (!hasRoom()) return null;
  const screenId = newId();
  void claim(nameOf(screenId));
  return start({ screenId, deviceId, deviceName, port }, publicUrl, false);
}

let restoring: Promise<void> | null = null;

/** Brings back the screens that this tab had before it was reloaded. */
export function restoreScreens(ofUser: string, publicUrl: string): Promise<void> {
  if (userId !== ofUser) restoring = null;
  userId = ofUser;
  restoring ??= restore(publicUrl);
  return restoring;
}

async function restore(publicUrl: string): Promise<void> {
  await Promise.all(
    parseScreens(sessionStorage.getItem(KEY), userId, MAXIMUM_SESSIONS).map(async (screen) => {
      if ((await claim(nameOf(screen.screenId))) && currentScreen(screen.deviceId) === undefined) start(screen, publicUrl, true);
    }),
  );
}
