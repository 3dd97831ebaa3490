import { existsSync } from 'node:fs';

import type { Browser } from 'playwright-core';

import { CHROMIUM_PATH, hasChromium, startChromium as start } from '../../demo/chromium.js';

export { hasChromium };

/** What the title of a skipped suite says. */
export const WITHOUT_CHROMIUM = `skipped: there is no ${CHROMIUM_PATH}; apt-get install chromium, or set CHROMIUM_PATH`;

/** The same Chromium without what it needs for windows: pages cost a quarter less processor time in it. */
const WITHOUT_WINDOWS = '/usr/bin/chromium-headless-shell';
const executablePath = process.env.CHROMIUM_PATH === undefined && existsSync(WITHOUT_WINDOWS) ? WITHOUT_WINDOWS : CHROMIUM_PATH;

/** Starts a browser for which every host name but localhost is the server at this address. */
export const startChromium = (serverUrl: string): Promise<Browser> => start(serverUrl, { executablePath });
