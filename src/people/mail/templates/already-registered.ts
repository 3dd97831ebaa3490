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
    subject: 'You already have an account',
    preview: 'Someone tried to register with your address.',
    title: 'You already have an account',
    before: [
      `Someone tried to register with the address ${shownName(account)}, which already belongs to your account. Nothing was changed.`,
    ],
    action: { label: 'Sign in', link },
    after: ['If you forgot your password, choose “Forgot your password?” on the sign-in page.', "If this wasn't you, ignore this e-mail."],
  });
}
