import { existsSync } from 'node:fs';

import { type Browser, type BrowserContext, type BrowserContextOptions, type BrowserServer, chromium } from 'playwright-core';

import { CHROMIUM_PATH, hasChromium, startChromium as start } from '../../../demo/chromium.js';

export { hasChromium };

/** Reason in the title of a skipped suite. */
export const WITHOUT_CHROMIUM = `skipped: there is no ${CHROMIUM_PATH}; apt-get install chromium, or set CHROMIUM_PATH`;

/** Time-out of a page's reaction to a test, in milliseconds: longer than a busy machine needs, shorter than a test may take. */
const PAGE_MS = 120_000;

/** The same Chromium without what it needs for windows: pages cost a quarter less processor time in it. */
const WITHOUT_WINDOWS = '/usr/bin/chromium-headless-shell';
const executablePath = process.env.CHROMIUM_PATH === undefined && existsSync(WITHOUT_WINDOWS) ? WITHOUT_WINDOWS : CHROMIUM_PATH;

/** Pages of tests live for seconds: compilers that optimize take more time than they save. */
const WITHOUT_OPTIMIZATION = '--js-flags=--no-opt --no-maglev';

/** Starts a browser for which every host name but localhost is the server at this address. */
export const startChromium = (serverUrl: string): Promise<Browser> => start(serverUrl, { executablePath, args: [WITHOUT_OPTIMIZATION] });

/** Starts a browser that spec files of several processes use at the same time, each in windows of its own. */
export const startSharedChromium = (): Promise<BrowserServer> =>
  chromium.launchServer({ executablePath, args: ['--no-sandbox', WITHOUT_OPTIMIZATION] });

/** A window with a storage of its own. */
export async function newContext(browser: Browser, options?: BrowserContextOptions): Promise<BrowserContext> {
  const context = await browser.newContext(options);
  context.setDefaultTimeout(PAGE_MS);
  return context;
}
