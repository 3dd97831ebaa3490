import type { MailContent } from '../mail-message.js';
import { factsOf, type AccountEvent } from './layout/account-notice.js';
import type { Letterhead } from './layout/letter.js';
import { written } from './layout/written-letter.js';
import { shownName } from './layout/shown-name.js';

export interface EmailChanged extends AccountEvent {
  readonly newEmail: string;
}

/** To the former address of an account. It has no link, because its reader may not be the owner of the account any more. */
export function emailChanged(letterhead: Letterhead, { newEmail, ...event }: EmailChanged): MailContent {
  return written(letterhead, {
    subject: 'Your e-mail address was changed',
    preview: 'This mailbox no longer belongs to your account.',
    title: 'Your e-mail address was changed',
    before: [`Your account now has the address ${shownName(newEmail)}. E-mails about it no longer come to this mailbox.`],
    facts: factsOf(event),
    after: ["If this wasn't you, someone else controls your account. Tell your administrator at once."],
  });
}
