import { newId } from '../../../state/new-id.js';
import { RememberedSessions } from '../remembered-sessions.js';
import { parseScreens, type RememberedScreen } from './screen-list.js';
import { ScreenSession } from './screen-session.js';

const screens = new RememberedSessions<ScreenSession, RememberedScreen>({
  key: 'screens',
  isOne: (session) => session instanceof ScreenSession,
  idOf: ({ screenId }) => screenId,
  parse: parseScreens,
  make: (screen, publicUrl, onRemembered, wasOpen) => new ScreenSession(screen, publicUrl, onRemembered, wasOpen),
});

/** The screen of a device that is shown. */
export const currentScreen = (deviceId: string): ScreenSession | undefined => screens.of(deviceId);

/** Shows the screen of a device, which knows the service as `publicUrl`; null when too much runs already. */
export const openScreen = (deviceId: string, deviceName: string, port: number, publicUrl: string): ScreenSession | null =>
  screens.open({ screenId: newId(), deviceId, deviceName, port }, publicUrl);

/** Brings back the screens that this tab had before it was reloaded. */
export const restoreScreens = (userId: string, publicUrl: string): Promise<void> => screens.restore(userId, publicUrl);
