import type { Locator, Page } from 'playwright-core';

/** An element of the page, whose types the tests do not have. */
interface Clickable {
  click: () => void;
}

/** Clicks elements in this order before the page can draw what follows from the first click. An element may occur twice. */
export async function clickAtOnce(page: Page, ...elements: readonly Locator[]): Promise<void> {
  const all = (await Promise.all(elements.map((each) => each.elementHandles()))).flat();
  await page.evaluate(
    (handles: readonly Clickable[]) => {
      for (const handle of handles) handle.click();
    },
    all as unknown as readonly Clickable[],
  );
}
