import type { MailContent } from '../mail-message.js';
import { factsOf, type AccountEvent } from './layout/account-notice.js';
import type { Letterhead } from './layout/letter.js';
import { written } from './layout/written-letter.js';

/** To the former owner of an account, after it was deleted. */
export function accountDeleted(letterhead: Letterhead, event: AccountEvent): MailContent {
  return written(letterhead, {
    subject: 'Your account was deleted',
    preview: 'You cannot sign in any more.',
    title: 'Your account was deleted',
    before: ['Your account and what belonged to it were deleted. Nobody can sign in to it any more. This is the last mail about it.'],
    facts: factsOf(event),
    after: ['If it was not you, tell your administrator.'],
  });
}
