import type { BrowserContext, Page } from 'playwright-core';

/** Makes pages that are opened afterwards draw terminals with elements, whose text can be read, because it finds no WebGL. */
export function withReadableTerminals(pages: Page | BrowserContext): Promise<unknown> {
  return pages.addInitScript(`
    const { getContext } = HTMLCanvasElement.prototype;
    HTMLCanvasElement.prototype.getContext = function (kind, ...more) {
      return kind.startsWith('webgl') ? null : getContext.call(this, kind, ...more);
    };`);
}

/** Makes pages that are opened afterwards take the processor that draws WebGL for a graphics card. */
export function withGraphicsCard(page: Page): Promise<unknown> {
  return page.addInitScript(`
    const { getContext } = HTMLCanvasElement.prototype;
    HTMLCanvasElement.prototype.getContext = function (kind, options) {
      return getContext.call(this, kind, { ...options, failIfMajorPerformanceCaveat: false });
    };`);
}

/** Waits for the prompt of a shell. */
export async function untilPrompt(page: Page): Promise<void> {
  const rows = page.locator('.xterm-rows');
  await rows.filter({ hasText: /[$#]/ }).waitFor();
}

/** Types a line into the terminal and waits for its output, which has to differ from the typed text. */
export async function runInTerminal(page: Page, line: string, printed: string): Promise<void> {
  await page.locator('.xterm-helper-textarea').focus();
  await page.keyboard.type(`${line}\n`);
  await page.locator('.xterm-rows', { hasText: printed }).waitFor();
}

/** The same in a terminal that comes back to its shell. */
export async function runWhenOpen(page: Page, line: string, printed: string): Promise<void> {
  await page.locator('.xterm-helper-textarea').waitFor({ state: 'attached' });
  await page.getByText(/^\d+×\d+$/).waitFor();
  await runInTerminal(page, line, printed);
}
