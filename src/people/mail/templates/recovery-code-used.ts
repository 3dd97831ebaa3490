import type { MailContent } from '../mail-message.js';
import { factsOf, type AccountNotice } from './layout/account-notice.js';
import type { Letterhead } from './layout/letter.js';
import { written } from './layout/written-letter.js';

export interface RecoveryCodeUsed extends AccountNotice {
  /** Number of unused codes that are left. */
  readonly codesLeft: number;
}

/** To the owner of an account, after a sign-in with a recovery code. */
export function recoveryCodeUsed(letterhead: Letterhead, { securityLink, codesLeft, ...event }: RecoveryCodeUsed): MailContent {
  return written(letterhead, {
    subject: 'A recovery code was used',
    preview: `${left(codesLeft)} Create new ones in time.`,
    title: 'A recovery code was used',
    before: [`Someone signed in to your account with a recovery code instead of a code from the authenticator app. ${left(codesLeft)}`],
    facts: factsOf(event),
    action: { label: 'Check your account', link: securityLink },
    after: ["If this wasn't you, change your password, create new recovery codes and tell your administrator."],
  });
}

function left(codes: number): string {
  if (codes === 0) return 'No recovery code is left.';
  return codes === 1 ? 'One recovery code is left.' : `${codes} recovery codes are left.`;
}
