import type { MailContent } from '../mail-message.js';
import { factsOf, type AccountNotice } from './layout/account-notice.js';
import type { Letterhead } from './layout/letter.js';
import { written } from './layout/written-letter.js';
import { moment } from './layout/moment.js';

export interface SignInLocked extends AccountNotice {
  readonly lockedUntil: Date;
}

/** To the owner of an account that was locked after too many failures. Its caller sends it once a lock-out. */
export function signInLocked(letterhead: Letterhead, { securityLink, lockedUntil, ...event }: SignInLocked): MailContent {
  return written(letterhead, {
    subject: 'Sign-in is locked for a few minutes',
    preview: `Too many attempts failed. You can sign in again at ${moment(lockedUntil)}.`,
    title: 'Sign-in is locked for a few minutes',
    before: [
      `Too many attempts to sign in to your account failed, and none succeeded. Your account is locked until ${moment(lockedUntil)}.`,
    ],
    facts: factsOf(event),
    action: { label: 'Check your account', link: securityLink },
    after: [
      "If this wasn't you, someone is guessing your password. A long password that you use nowhere else, and a second factor, keep them out.",
    ],
  });
}
