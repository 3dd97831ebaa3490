import { existsSync } from 'node:fs';

import { chromium, type Browser, type LaunchOptions } from 'playwright-core';

/** Path at which Debian installs it. */
const DEFAULT_PATH = '/usr/bin/chromium';

/** The browser that is used: `CHROMIUM_PATH`, else Debian's. */
export const CHROMIUM_PATH = process.env.CHROMIUM_PATH ?? DEFAULT_PATH;

/** True if there is a browser on this machine. */
export const hasChromium = existsSync(CHROMIUM_PATH);

/** Starts a browser for which every host name but localhost is the server at this address, on port 80 of the name. */
export function startChromium(serverUrl: string, { args = [], ...options }: LaunchOptions = {}): Promise<Browser> {
  return chromium.launch({
    executablePath: CHROMIUM_PATH,
    // As root there is no sandbox; only the service is opened here.
    args: ['--no-sandbox', `--host-resolver-rules=MAP * ${new URL(serverUrl).host}, EXCLUDE localhost`, ...args],
    ...options,
  });
}
