import type { Page } from 'playwright-core';

/** Time-out, in milliseconds. A condition that takes longer will never be true. */
const TIMEOUT_MS = 30_000;
const NEXT_FRAME = 'new Promise((resolve) => requestAnimationFrame(() => resolve()))';

/** Waits until an expression is true in a page, asked frame by frame. The policy of the pages forbids them to wait for it themselves. */
export async function untilTrue(page: Page, expression: string, isReady = (): boolean => true): Promise<void> {
  const deadline = performance.now() + TIMEOUT_MS;
  for (;;) {
    const isTrue = isReady() && (await page.evaluate(expression)) === true;
    if (isTrue && isReady()) return;
    if (performance.now() > deadline) throw new Error(`At ${page.url()} this has not become true: ${expression}`);
    await page.evaluate(NEXT_FRAME);
  }
}
