import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';

import { type Browser, type BrowserContext, chromium, type Locator, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect, type TestContext } from 'vitest';

import type { Shown } from '../../web/components/shown.js';
import { newContext } from '../browser/support/chromium.js';
import { Watch } from '../browser/support/watch.js';
import { sharedByComponents } from '../support/brokers/component-broker.js';
import { Asked } from './asked.js';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.woff2': 'font/woff2',
  '.json': 'application/json',
};
/** Time that a component may take to reach a state, in milliseconds: longer than a busy machine needs. */
const SOON_MS = 60_000;

/** Waits until what is read has become something: `await soon(() => …).toBe(…)`. */
export const soon = <T>(read: () => T | Promise<T>) => expect.poll(read, { timeout: SOON_MS, interval: 10 });

/** Waits until something is there. `waitFor` of Playwright looks only twice a second once some time has passed. */
export const untilVisible = (locator: Locator): Promise<void> => soon(() => locator.isVisible()).toBe(true);

/** The name of what has the focus. */
export const focused = (page: Page): Promise<string> =>
  page.evaluate(`(() => {
    const { activeElement: element } = document;
    return element.ariaLabel || element.labels?.[0]?.innerText || element.title || element.innerText;
  })()`);

/** Pages that show one component each, and a server in place of the service. Call {@link componentPages} to get it. */
export class ComponentPages {
  private readonly server: Server = createServer((request, response) => void this.serve(request, response));
  private readonly answers = new Map<string, object>();
  private asked: Asked[] = [];
  private folder = '';
  private origin = '';
  private browser: Browser | undefined;
  private context: BrowserContext | undefined;
  private watch: Watch | undefined;

  /** `allowedRefusals` are those that tests answer, as {@link Watch} takes them. */
  constructor(private readonly allowedRefusals: readonly (string | RegExp)[]) {}

  async start(): Promise<void> {
    const shared = await sharedByComponents();
    this.folder = shared.folder;
    await new Promise<void>((resolve) => {
      this.server.listen(0, '127.0.0.1', resolve);
    });
    this.origin = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
    this.browser = await chromium.connect(shared.browser);
    this.context = await newContext(this.browser, { baseURL: this.origin, locale: 'en-US', reducedMotion: 'reduce' });
    this.watch = await Watch.over(this.context, [this.origin], this.allowedRefusals);
  }

  async stop(): Promise<void> {
    await this.context?.close();
    await this.browser?.close();
    this.server.closeAllConnections();
    await new Promise((resolve) => {
      this.server.close(resolve);
    });
  }

  /** Opens a component. When the test ends the page is closed, and the test fails if something went wrong in it. */
  async open({ onTestFinished }: Pick<TestContext, 'onTestFinished'>, shown: Shown): Promise<Page> {
    if (this.context === undefined) throw new Error('The browser has not started yet: it does so before the first test.');
    const page = await this.context.newPage();
    onTestFinished(async () => {
      await page.close();
      this.asked = [];
      expect(this.watch?.takeOffences()).toEqual([]);
    });
    await page.goto(`/components.html?show=${encodeURIComponent(JSON.stringify(shown))}`);
    await untilVisible(page.locator('main'));
    return page;
  }

  /** The answers of the service to `GET`, by path; null is for 404. */
  answer(path: string, body: object | null): void {
    if (body === null) this.answers.delete(path);
    else this.answers.set(path, body);
  }

  /** The paths of the changes that were asked for in this test. */
  get changes(): readonly string[] {
    return this.asked.map(({ path }) => path);
  }

  /** The change that a page asked for as the nth of this test, counted from 0. It waits for the test to answer. */
  async change(nth: number): Promise<Asked> {
    await soon(() => this.asked.length).toBeGreaterThan(nth);
    return this.asked[nth];
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // Chromium asks again over another line where one that it has used before breaks off.
    response.setHeader('connection', 'close');
    const { pathname } = new URL(request.url ?? '/', this.origin);
    if (request.method === 'POST') {
      this.asked.push(new Asked(pathname, request, response));
      return;
    }
    const answer = this.answers.get(pathname);
    const type = TYPES[answer === undefined ? extname(pathname) : '.json'];
    if (type === undefined) {
      response.writeHead(404, { 'content-type': 'application/problem+json' }).end('{}');
      return;
    }
    const body = answer === undefined ? await readFile(join(this.folder, pathname)) : JSON.stringify(answer);
    response
      .writeHead(200, { 'content-type': type, 'cache-control': pathname.startsWith('/assets/') ? 'max-age=3600' : 'no-store' })
      .end(body);
  }
}

/** The pages of components. Call it in a `describe` block: they can be opened from its first test to its last. */
export function componentPages(allowedRefusals: readonly (string | RegExp)[] = []): ComponentPages {
  const pages = new ComponentPages(allowedRefusals);
  beforeAll(() => pages.start());
  afterAll(() => pages.stop());
  return pages;
}
