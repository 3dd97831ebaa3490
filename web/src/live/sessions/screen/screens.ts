import { addSession, currentSessions, hasRoom } from '../sessions.js';
import { ScreenSession } from './screen-session.js';

/** The screen of a device that is shown; there is one of each device at most. */
export const currentScreen = (deviceId: string): ScreenSession | undefined =>
  currentSessions().find((session): session is ScreenSession => session instanceof ScreenSession && session.deviceId === deviceId);

/** Shows the screen of a device, which knows the service as `publicUrl`; null when too much runs already. */
export function openScreen(deviceId: string, deviceName: string, port: number, publicUrl: string): ScreenSession | null {
  if (!hasRoom()) return null;
  const screen = new ScreenSession(deviceId, deviceName, port, publicUrl);
  addSession(screen);
  return screen;
}
