import type { Page, Route } from 'playwright-core';

import type { DomainError } from '../../src/common/errors.js';
import { PROBLEM_MEDIA_TYPE, refusalOf } from '../../src/http/problem-details.js';

/** Calls of the service, other than the one that says who is signed in: without that no page would be shown. */
const isCall = ({ pathname }: URL): boolean => /^\/(?:api|account)\//.test(pathname) && pathname !== '/account/session';

/** Answers what a page asks of the service, in place of the service, as that would. */
export class Refusals {
  private answer: ((route: Route) => Promise<void>) | null = null;

  /** Answers the calls of a page. Until it is told otherwise, the service does. */
  static async over(page: Page): Promise<Refusals> {
    const refusals = new Refusals();
    // Some pages have the addresses of calls.
    const isPage = (route: Route): boolean => route.request().isNavigationRequest();
    await page.route(isCall, (route) => (isPage(route) ? undefined : refusals.answer?.(route)) ?? route.continue());
    return refusals;
  }

  /** From now on every call is refused. */
  refuse(error: DomainError): void {
    const { problem, headers } = refusalOf(error);
    const body = JSON.stringify(problem);
    this.answer = (route) => route.fulfill({ status: problem.status, contentType: PROBLEM_MEDIA_TYPE, headers: { ...headers }, body });
  }

  /** From now on no call reaches the service. */
  lose(): void {
    this.answer = (route) => route.abort('internetdisconnected');
  }

  /** From now on the service answers. */
  end(): void {
    this.answer = null;
  }
}
