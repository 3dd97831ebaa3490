import type { MailContent } from '../mail-message.js';
import { factsOf, type AccountEvent } from './layout/account-notice.js';
import type { Letterhead } from './layout/letter.js';
import { written } from './layout/written-letter.js';

/** To the former owner of an account, after it was deleted. */
export function accountDeleted(letterhead: Letterhead, event: AccountEvent): MailContent {
  return written(letterhead, {
    subject: 'Your account was deleted',
    preview: 'You can no longer sign in.',
    title: 'Your account was deleted',
    before: ['Your account and everything that belonged to it were deleted. Nobody can sign in to it. This is the last e-mail about it.'],
    facts: factsOf(event),
    after: ["If this wasn't you, tell your administrator."],
  });
}
