import type { MailContent } from '../mail-message.js';
import { factsOf, type AccountNotice } from './layout/account-notice.js';
import type { Letterhead } from './layout/letter.js';
import { written } from './layout/written-letter.js';
import { shownName } from './layout/shown-name.js';

export interface PasskeyAdded extends AccountNotice {
  readonly passkeyName: string;
}

/** To the owner of an account, after a passkey was added to it. */
export function passkeyAdded(letterhead: Letterhead, { securityLink, passkeyName, ...event }: PasskeyAdded): MailContent {
  return written(letterhead, {
    subject: 'A passkey was added',
    preview: 'A new passkey can sign in to your account.',
    title: 'A passkey was added',
    before: ['Your account has a new passkey. Anyone who holds it can sign in without a password.'],
    facts: [['Passkey', shownName(passkeyName)], ...factsOf(event)],
    action: { label: 'Check your account', link: securityLink },
    after: ["If this wasn't you, delete the passkey, change your password and tell your administrator."],
  });
}
