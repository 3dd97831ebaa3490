import axe, { type AxeResults, type RunOptions } from 'axe-core';
import type { CDPSession, Page } from 'playwright-core';

/**
 * Checks in a page, made from a world of their own: the page's scripts do not see them, and its policy neither knows nor stops them.
 */
export class PageChecks {
  private constructor(
    private readonly devTools: CDPSession,
    private readonly contextId: number,
  ) {}

  /** Prepares the checks of a page that is open. They last until it loads another document. */
  static async of(page: Page): Promise<PageChecks> {
    const devTools = await page.context().newCDPSession(page);
    const { frameTree } = await devTools.send('Page.getFrameTree');
    const world = { frameId: frameTree.frame.id, worldName: 'checks' };
    const { executionContextId } = await devTools.send('Page.createIsolatedWorld', world);
    const checks = new PageChecks(devTools, executionContextId);
    await checks.evaluate(`${axe.source}; undefined`);
    return checks;
  }

  /** Whether the page shows something, has loaded its fonts, and nothing in it is on its way to another look. */
  isStill(): Promise<boolean> {
    return this.evaluate(`(async () => {
      const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
      await frame();
      await frame();
      return document.readyState === 'complete' && document.fonts.status === 'loaded'
        && document.querySelector('#app')?.childElementCount > 0 && document.querySelector('[aria-busy="true"]') === null
        && document.getAnimations().every((animation) => !(animation instanceof CSSTransition));
    })()`);
  }

  /** By how many pixels the page is wider than its window, with the widest elements that reach out of it. */
  async excessWidth(): Promise<string | null> {
    return this.evaluate(`(() => {
      const { scrollWidth, clientWidth } = document.scrollingElement;
      if (scrollWidth <= clientWidth) return null;
      const wide = [...document.querySelectorAll('body *')].filter((element) => element.getBoundingClientRect().right > clientWidth + 1);
      const names = wide.slice(-3).map((element) => element.tagName.toLowerCase() + '.' + element.className);
      return (scrollWidth - clientWidth) + ' px: ' + names.join(', ');
    })()`);
  }

  /** What is wrong with the page for people with disabilities, one sentence each. */
  async accessibility(options: RunOptions = {}): Promise<string[]> {
    const { violations } = await this.evaluate<AxeResults>(
      `axe.run(document, ${JSON.stringify({ ...options, resultTypes: ['violations'] })})`,
    );
    return violations.map(
      ({ impact, id, help, nodes }) => `${impact}: ${id}: ${help}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`,
    );
  }

  private async evaluate<T>(expression: string): Promise<T> {
    const { contextId } = this;
    const answer = await this.devTools.send('Runtime.evaluate', { expression, contextId, awaitPromise: true, returnByValue: true });
    if (answer.exceptionDetails !== undefined)
      throw new Error(answer.exceptionDetails.exception?.description ?? answer.exceptionDetails.text);
    return answer.result.value as T;
  }
}
