import type { Desktop } from '../platform.js';
import { XClipboard } from './clipboard/x-clipboard.js';
import { LoginLock } from './login-lock.js';
import { XCapture } from './x-capture.js';
import { XConnection } from './x-connection.js';
import { XCursor } from './x-cursor.js';
import { XDisplays } from './x-displays.js';
import { XLock } from './x-lock.js';
import { XPerson } from './x-person.js';
import { XInput } from './x-input.js';

/** Opens the X11 desktop of the environment. @throws RefusedError when it cannot be shown, with the reason */
export async function openXDesktop(name: string, log: (line: string) => void): Promise<Desktop> {
  const connection = await XConnection.open(name, log);
  const login = new LoginLock(name, log);
  const [capture, input, clipboard, lock] = await Promise.all([
    XCapture.start(connection),
    XInput.start(connection),
    XClipboard.start(connection),
    XLock.start(connection, login),
  ]);
  capture.onChange(() => login.look());
  return {
    capture,
    input,
    clipboard,
    displays: new XDisplays(connection),
    person: new XPerson(connection),
    cursor: new XCursor(connection),
    lock,
    onLost: (listener) => connection.onLost(listener),
    close: async () => {
      input.stop();
      login.stop();
      await clipboard.close();
      await connection.close();
    },
  };
}

/** Lifts keys and buttons that a session which was killed has left down. */
export async function liftAllKeys(name: string, log: (line: string) => void): Promise<void> {
  const connection = await XConnection.open(name, log);
  await (await XInput.start(connection)).liftAll();
  await connection.close();
}
