import type { MailContent } from '../mail-message.js';
import { factsOf, type AccountNotice } from './layout/account-notice.js';
import type { Letterhead } from './layout/letter.js';
import { written } from './layout/written-letter.js';

/** To the owner of an account, after its password was changed or reset. */
export function passwordChanged(letterhead: Letterhead, { securityLink, ...event }: AccountNotice): MailContent {
  return written(letterhead, {
    subject: 'Your password was changed',
    preview: 'All your other sessions were signed out.',
    title: 'Your password was changed',
    before: ['The password of your account was changed. All your other sessions were signed out.'],
    facts: factsOf(event),
    action: { label: 'Check your account', link: securityLink },
    after: ["If this wasn't you, choose a new password at once (“Forgot your password?” on the sign-in page) and tell your administrator."],
  });
}
