import { fileURLToPath } from 'node:url';

import type { Page, PageScreenshotOptions } from 'playwright-core';

/** The folder of the pictures that tests store for people to look at. They are compared with nothing. */
export const SCREENSHOTS = fileURLToPath(new URL('../../../test-output/screenshots/', import.meta.url));

/** False in a run of `.ci/run`, after which nobody looks at them: there are some hundred, and each takes processor time. */
export const storesScreenshots = process.env.CI === undefined;

/** Stores a picture of a page as it is, for people to look at. */
export async function storeScreenshot(
  page: Page,
  name: string,
  options: Pick<PageScreenshotOptions, 'clip' | 'fullPage'> = {},
): Promise<void> {
  if (storesScreenshots) await page.screenshot({ ...options, path: `${SCREENSHOTS}${name}.png` });
}
