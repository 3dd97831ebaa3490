import type { MailContent } from '../mail-message.js';
import type { Letterhead } from './layout/letter.js';
import { written } from './layout/written-letter.js';
import { shownName } from './layout/shown-name.js';

export interface AlreadyRegistered {
  /** The address that belongs to an account, to which the mail goes. */
  readonly account: string;
  /** The page at which the reader signs in. */
  readonly link: string;
}

/** To the owner of an account whose address was given for another account. The page does not say that the account exists. */
export function alreadyRegistered(letterhead: Letterhead, { account, link }: AlreadyRegistered): MailContent {
  return written(letterhead, {
    subject: 'You have an account already',
    preview: 'Your address was given for another account.',
    title: 'You have an account already',
    before: [`Somebody gave the address ${shownName(account)} for an account. It belongs to your account, so that nothing was changed.`],
    action: { label: 'Sign in', link },
    after: [
      'If you have forgotten your password, choose a new one (“Forgot password” on the sign-in page).',
      'If it was not you, do nothing.',
    ],
  });
}
