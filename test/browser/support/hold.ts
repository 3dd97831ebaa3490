import type { Page, Request } from 'playwright-core';

interface Held {
  /** Resolves with the first request. */
  readonly isHeld: Promise<Request>;
  readonly go: () => void;
}

/** Keeps the requests to an address until `go` is called. */
export async function hold(page: Page, address: string | RegExp | ((url: URL) => boolean)): Promise<Held> {
  let go = (): void => undefined;
  const isOpen = new Promise<void>((resolve) => (go = resolve));
  await page.route(address, async (route) => {
    await isOpen;
    await route.continue();
  });
  const isHeld = page.waitForRequest(typeof address === 'function' ? (request) => address(new URL(request.url())) : address);
  return { isHeld, go };
}

/** Lets the page draw what it knows. */
export const twoFrames = (page: Page): Promise<unknown> =>
  page.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))');
