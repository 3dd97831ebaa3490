import type { CDPSession, Page } from 'playwright-core';
import type { TestContext } from 'vitest';

import type { DomainError } from '../../../src/platform/common/errors/errors.js';
import { PROBLEM_MEDIA_TYPE, refusalOf } from '../../../src/platform/http/problems/problem-details.js';

/** Requests that are held until they are answered or refused. All others, such as scripts, come from the browser's cache. */
const HELD = ['api', 'account', 'hubs'].map((folder) => ({ urlPattern: `*/${folder}/*`, resourceType: 'Fetch' }) as const);
/** Call that names the signed-in user. Without an answer to it, no page would be shown. */
const SESSION = '/account/session';

interface Answer {
  readonly responseCode: number;
  readonly responseHeaders: { readonly name: string; readonly value: string }[];
  readonly body: string;
}

/** Answers a page's calls instead of the service, as that would. */
export class Refusals {
  private static readonly ofPages = new WeakMap<Page, Refusals>();

  private answer: Answer | 'lost' | null = null;
  private answered: RegExp | null = null;

  private constructor(private readonly devTools: CDPSession) {}

  /**
   * Answers the calls of a page. Until it is told otherwise, and once the test has finished, the service does. The page gets no live line:
   * what the service pushes would stand where it has refused to answer.
   */
  static async over(page: Page, { onTestFinished }: Pick<TestContext, 'onTestFinished'>): Promise<Refusals> {
    const refusals = this.ofPages.get(page) ?? (await this.begin(page));
    this.ofPages.set(page, refusals);
    refusals.letThrough(null);
    onTestFinished(() => refusals.end());
    return refusals;
  }

  private static async begin(page: Page): Promise<Refusals> {
    const devTools = await page.context().newCDPSession(page);
    const refusals = new Refusals(devTools);
    devTools.on('Fetch.requestPaused', ({ requestId, request }) => {
      // A page that was left waits for no answer.
      refusals.decide(requestId, new URL(request.url).pathname).catch(() => undefined);
    });
    await devTools.send('Fetch.enable', { patterns: HELD });
    return refusals;
  }

  /** Lets the service answer calls to these paths in any case; to none if it is null. */
  letThrough(paths: RegExp | null): void {
    this.answered = paths;
  }

  /** From now on every call is refused. */
  refuse(error: DomainError): void {
    const { problem, headers } = refusalOf(error);
    const named = Object.entries({ 'Content-Type': PROBLEM_MEDIA_TYPE, ...headers });
    this.answer = {
      responseCode: problem.status,
      responseHeaders: named.map(([name, value]) => ({ name, value })),
      body: Buffer.from(JSON.stringify(problem)).toString('base64'),
    };
  }

  /** From now on no call reaches the service. */
  lose(): void {
    this.answer = 'lost';
  }

  /** From now on the service answers. */
  end(): void {
    this.answer = null;
  }

  private async decide(requestId: string, path: string): Promise<void> {
    const isLine = path.startsWith('/hubs/');
    const isAnswered = path === SESSION || this.answered?.test(path) === true;
    const answer = isLine ? 'lost' : isAnswered ? null : this.answer;
    if (answer === null) await this.devTools.send('Fetch.continueRequest', { requestId });
    else if (answer === 'lost') await this.devTools.send('Fetch.failRequest', { requestId, errorReason: 'InternetDisconnected' });
    else await this.devTools.send('Fetch.fulfillRequest', { requestId, ...answer });
  }
}
