import { moment } from './moment.js';
import { shownName } from './shown-name.js';
import type { Letter } from './letter.js';

/** An event of an account, with its origin. Every notice about an account names these. */
export interface AccountEvent {
  /** The user name or e-mail address of the account. */
  readonly account: string;
  readonly at: Date;
  /** The address that the request came from; null when it is not known. */
  readonly ipAddress: string | null;
  /** The browser and the system, such as `Firefox on Windows`; null when it is not known. */
  readonly browser: string | null;
}

/** An event, and the page on which the reader can look after the account. */
export interface AccountNotice extends AccountEvent {
  readonly securityLink: string;
}

/** The event as facts of a letter. */
export function factsOf({ account, at, ipAddress, browser }: AccountEvent): NonNullable<Letter['facts']> {
  return [
    ['Account', shownName(account)],
    ['Time', moment(at)],
    ...(ipAddress === null ? [] : [['IP address', ipAddress] as const]),
    ...(browser === null ? [] : [['Browser', shownName(browser)] as const]),
  ];
}
