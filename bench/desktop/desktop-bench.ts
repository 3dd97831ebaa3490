import { CHROMIUM_PATH } from '../../demo/chromium.js';
import type { BenchPart, Need, PartResult } from '../harness/bench-part.js';

/** Goals of remote control that are measured together. */
export type DesktopBench = BenchPart;

export type DesktopResult = PartResult;

/** An X server with a window manager and a terminal, and the browser. */
export const DESKTOP_NEEDS: readonly Need[] = [
  { program: 'Xvfb', debianPackage: 'xvfb' },
  { program: 'openbox', debianPackage: 'openbox' },
  { program: 'xterm', debianPackage: 'xterm' },
  { program: CHROMIUM_PATH, debianPackage: 'chromium' },
];

/** TigerVNC's server that grabs the screen of another X server. Debian's `x0vncserver` is a script that starts this program. */
export const VNC_SERVER = 'X0tigervnc';
export const VNC_NEEDS: readonly Need[] = [{ program: VNC_SERVER, debianPackage: 'tigervnc-scraping-server' }];
