import type { MailContent } from '../mail-message.js';
import { factsOf, type AccountNotice } from './layout/account-notice.js';
import type { Letterhead } from './layout/letter.js';
import { written } from './layout/written-letter.js';

/** To the owner of an account, after its second factor was switched off. */
export function twoFactorSwitchedOff(letterhead: Letterhead, { securityLink, ...event }: AccountNotice): MailContent {
  return written(letterhead, {
    subject: 'Two-factor sign-in was turned off',
    preview: 'Your password alone is enough to sign in now.',
    title: 'Two-factor sign-in was turned off',
    before: ['Your account no longer asks for a code at sign-in. Your password alone is enough.'],
    facts: factsOf(event),
    action: { label: 'Check your account', link: securityLink },
    after: ["If this wasn't you, change your password, turn two-factor sign-in on again and tell your administrator."],
  });
}
