import type { Locator, Page } from 'playwright-core';

/** An element to click, or a select with the value to choose. */
type Step = Locator | readonly [select: Locator, value: string];

/** An element of the page, whose types the tests do not have. */
interface Clickable {
  value: string;
  click: () => void;
  dispatchEvent: (event: Event) => void;
}

/** Clicks and chooses in this order before the page can draw what follows from the first step. An element may occur twice. */
export async function clickAtOnce(page: Page, ...steps: readonly Step[]): Promise<void> {
  const all = await Promise.all(
    steps.map(async (step) => {
      const [elements, value] = 'elementHandles' in step ? [step] : step;
      return (await elements.elementHandles()).map((element) => ({ element, value }));
    }),
  );
  await page.evaluate(
    (each: readonly { readonly element: Clickable; readonly value?: string }[]) => {
      for (const { element, value } of each) {
        if (value === undefined) {
          element.click();
          continue;
        }
        element.value = value;
        element.dispatchEvent(new Event('change', { bubbles: true }));
      }
    },
    all.flat() as unknown as readonly { readonly element: Clickable; readonly value?: string }[],
  );
}
