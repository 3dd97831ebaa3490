import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

import { CHROMIUM_PATH, hasChromium } from '../../demo/chromium.js';
import type { Finding } from '../harness/finding.js';

/** A program that a measurement needs, and the package of Debian that has it. */
interface Need {
  readonly program: string;
  readonly debianPackage: string;
}

/** Goals of remote control that are measured together. */
export interface DesktopBench {
  readonly title: string;
  readonly needs: readonly Need[];
  measure(): Promise<DesktopResult>;
}

export interface DesktopResult {
  readonly findings: readonly Finding[];
  /** Sentences about what could not be measured, and why. */
  readonly skipped?: readonly string[];
}

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

/** Says which of the programs this machine lacks; null if it has them all. */
export function lackOf(needs: readonly Need[]): string | null {
  const lacking = needs.filter(({ program }) => !isThere(program));
  if (lacking.length === 0) return null;
  return `this machine has no ${lacking.map(({ program, debianPackage }) => `${program} (Debian: ${debianPackage})`).join(', no ')}`;
}

function isThere(program: string): boolean {
  if (program === CHROMIUM_PATH) return hasChromium;
  return (process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, program)));
}
