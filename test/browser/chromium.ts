import { existsSync } from 'node:fs';

import { chromium, type Browser } from 'playwright-core';

/** Where Debian installs it. */
const DEFAULT_PATH = '/usr/bin/chromium';

const path = process.env.CHROMIUM_PATH ?? DEFAULT_PATH;

/** Whether tests can use a browser on this machine. */
export const hasChromium = existsSync(path);

/** What the title of a skipped suite says. */
export const WITHOUT_CHROMIUM = `skipped: there is no ${path}; apt-get install chromium, or set CHROMIUM_PATH`;

/** Starts a browser for which every host name is the server at this address, on port 80 of the name. */
export function startChromium(serverUrl: string): Promise<Browser> {
  return chromium.launch({
    executablePath: path,
    // As root there is no sandbox; what is opened here is the service only.
    args: ['--no-sandbox', `--host-resolver-rules=MAP * ${new URL(serverUrl).host}`],
  });
}
