import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults, RunOptions } from 'axe-core';
import type { CDPSession, Page } from 'playwright-core';

/** The minified form, which is half as long: every page that is checked has to read it. */
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** An element that can have the focus. */
export interface Stop {
  /** The same for the same element. */
  readonly number: number;
  readonly name: string;
  /** True if a line around it, or around what it stands in, shows that it has the focus. */
  readonly isMarked: boolean;
  /** True if it is part of the page, not of the bar and the navigation around all pages. */
  readonly isInMain: boolean;
}

/** The bar and the navigation around all pages, which are the same everywhere. */
export const AROUND_PAGES = ['header[data-region]', 'nav[data-region]'] as const;

const STOPS = `
  const numbers = new WeakMap();
  let lastNumber = 0;
  const hasLine = (element) => {
    const { outlineStyle, outlineWidth } = getComputedStyle(element);
    return outlineStyle !== 'none' && parseFloat(outlineWidth) > 0;
  };
  // Of the radio buttons of a group, the Tab key reaches the chosen one, and of a group without one the first.
  function isStopOfItsGroup(element) {
    if (element.type !== 'radio') return true;
    const group = [...(element.form ?? document).querySelectorAll('input[type=radio]')].filter(({ name }) => name === element.name);
    return element === (group.find(({ checked }) => checked) ?? group[0]);
  }
  function allStops() {
    return [...document.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex]')].filter(
      (element) => element.tabIndex >= 0 && !element.matches(':disabled') && element.closest('[inert], [aria-hidden="true"]') === null
        && element.checkVisibility({ visibilityProperty: true }) && isStopOfItsGroup(element));
  }
  function stopOf(element) {
    if (!numbers.has(element)) numbers.set(element, ++lastNumber);
    const near = [element, element.parentElement, element.parentElement?.parentElement, element.nextElementSibling];
    return {
      number: numbers.get(element),
      name: element.tagName.toLowerCase() + ' "' + (element.ariaLabel ?? element.innerText ?? element.name ?? '').slice(0, 40) + '"',
      isMarked: near.some((each) => each instanceof Element && hasLine(each)),
      isInMain: element.closest('main') !== null,
    };
  }`;

/**
 * Checks in a page, made from a world of their own: the page's scripts do not see them, and its policy neither knows nor stops them.
 */
export class PageChecks {
  private contextId: number | undefined;
  private hasAxe = false;

  private constructor(private readonly devTools: CDPSession) {}

  static async of(page: Page): Promise<PageChecks> {
    return new PageChecks(await page.context().newCDPSession(page));
  }

  /** Prepares the checks of the document that is open now. They last until the page loads another one. */
  async enter(): Promise<void> {
    const { frameTree } = await this.devTools.send('Page.getFrameTree');
    const world = { frameId: frameTree.frame.id, worldName: 'checks' };
    this.contextId = (await this.devTools.send('Page.createIsolatedWorld', world)).executionContextId;
    this.hasAxe = false;
    await this.evaluate(`${STOPS}; undefined`);
  }

  /** Returns true if the page shows something, has loaded its fonts, and nothing in it is on its way to another look. */
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

  /**
   * Waits so many milliseconds at most until the main part of the page has alerts, they all match, and nothing there is loading. Returns the texts
   * that stand in the way; none if it came true.
   */
  otherAlerts({ source, flags }: RegExp, withinMs = 60_000): Promise<string[]> {
    return this.evaluate(`(async () => {
      const expected = new RegExp(${JSON.stringify(source)}, ${JSON.stringify(flags)});
      const end = performance.now() + ${withinMs};
      for (;;) {
        const texts = (role) => [...document.querySelectorAll('main [role=' + role + ']')]
          .filter((element) => element.checkVisibility({ visibilityProperty: true })).map((element) => element.innerText);
        const alerts = texts('alert');
        const others = [...alerts.filter((text) => !expected.test(text)), ...texts('status').filter((text) => text.includes('Loading'))];
        if (alerts.length > 0 && others.length === 0) return [];
        if (performance.now() > end) return alerts.length === 0 ? ['no alert', ...others] : others;
        await new Promise((resolve) => requestAnimationFrame(resolve));
      }
    })()`);
  }

  /** Describes the pixels by which the page exceeds its window, with the widest elements that reach out of it. */
  async excessWidth(): Promise<string | null> {
    return this.evaluate(`(() => {
      const { scrollWidth, clientWidth } = document.scrollingElement;
      if (scrollWidth <= clientWidth) return null;
      const wide = [...document.querySelectorAll('body *')].filter((element) => element.getBoundingClientRect().right > clientWidth + 1);
      const names = wide.slice(-3).map((element) => element.tagName.toLowerCase() + '.' + element.className);
      return (scrollWidth - clientWidth) + ' px: ' + names.join(', ');
    })()`);
  }

  /**
   * The words of the page, seen or read aloud, outside of the brackets and tildes of the pseudo-language, one text each. Names, addresses,
   * keys and times have no translation.
   */
  wordsOutsideCatalogue(): Promise<string[]> {
    return this.evaluate(`(() => {
      // A translated text may hold others.
      const innermost = /\\[[^[\\]]*~\\]/gu;
      const leftOf = (text) => {
        let left = text;
        for (let before = null; before !== left; ) [before, left] = [left, left.replace(innermost, '')];
        return left.trim();
      };
      const hasNoWords = (element) => element.closest('time, kbd, code, .mono, [role=img]:not([aria-label]), script, style') !== null;
      const texts = [];
      for (const element of document.querySelectorAll('body, body *')) {
        if (!element.checkVisibility({ visibilityProperty: true })) continue;
        for (const name of ['aria-label', 'title', 'placeholder', 'alt']) texts.push(element.getAttribute(name) ?? '');
        if (!hasNoWords(element)) for (const node of element.childNodes) if (node.nodeType === Node.TEXT_NODE) texts.push(node.data);
      }
      return [...new Set(texts.map(leftOf))].filter((text) => /\\p{L}{2}/u.test(text));
    })()`);
  }

  /** Controls and headings whose words are cut off, though nothing says that they go on. */
  cutWords(): Promise<string[]> {
    return this.evaluate(`[...document.querySelectorAll('button, a, label, legend, th, h1, h2, h3, [role=tab]')]
      .filter((element) => element.checkVisibility({ visibilityProperty: true }))
      // Those that are only read aloud have one pixel, and the navigation may show icons only.
      .filter((element) => element.clientWidth > 1 && element.closest('header, main, [role=dialog]') !== null)
      .filter((element) => element.scrollWidth > element.clientWidth + 1 && getComputedStyle(element).overflowX !== 'visible'
        && getComputedStyle(element).textOverflow !== 'ellipsis')
      .map((element) => element.tagName.toLowerCase() + ' "' + element.innerText.slice(0, 60) + '"')`);
  }

  /** Returns the page's faults for people with disabilities, one sentence each. `exclude` are the parts that are left out. */
  async accessibility(options: RunOptions = {}, exclude: readonly string[] = []): Promise<string[]> {
    if (!this.hasAxe) await this.evaluate(`${AXE}; undefined`);
    this.hasAxe = true;
    const { violations } = await this.evaluate<AxeResults>(
      `axe.run(${JSON.stringify({ exclude })}, ${JSON.stringify({ ...options, resultTypes: ['violations'] })})`,
    );
    return violations.map(
      ({ impact, id, help, nodes }) => `${impact}: ${id}: ${help}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`,
    );
  }

  /**
   * Returns the element with the focus; null while nothing in the page has it. The edges of a dialog pass the focus on with the next
   * picture, which is waited for.
   */
  focus(): Promise<Stop | null> {
    return this.evaluate(`(async () => {
      const isEdge = () => document.activeElement?.hasAttribute('data-base-ui-focus-guard') === true;
      for (let frames = 0; isEdge() && frames < 60; frames += 1) await new Promise((resolve) => requestAnimationFrame(resolve));
      const element = document.activeElement;
      return element === null || element === document.body ? null : stopOf(element);
    })()`);
  }

  /** All that the Tab key has to reach. */
  stops(): Promise<Stop[]> {
    return this.evaluate('allStops().map(stopOf)');
  }

  /** Puts the focus on the last stop before the page itself. */
  focusBeforeMain(): Promise<void> {
    return this.evaluate(`{
      const main = document.querySelector('main');
      const isBefore = (element) => (main.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_PRECEDING) !== 0;
      allStops().filter(isBefore).at(-1).focus();
    }`);
  }

  /** A picture of what the window shows, as PNG. Hardly compressed, because to compress pictures would take most of the time for them. */
  async picture(): Promise<Buffer> {
    const { data } = await this.devTools.send('Page.captureScreenshot', { format: 'png', optimizeForSpeed: true });
    return Buffer.from(data, 'base64');
  }

  private async evaluate<T>(expression: string): Promise<T> {
    const { contextId } = this;
    const answer = await this.devTools.send('Runtime.evaluate', { expression, contextId, awaitPromise: true, returnByValue: true });
    if (answer.exceptionDetails !== undefined)
      throw new Error(answer.exceptionDetails.exception?.description ?? answer.exceptionDetails.text);
    return answer.result.value as T;
  }
}
