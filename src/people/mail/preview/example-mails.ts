import type { MailContent } from '../mail-message.js';
import { accountDeleted } from '../templates/account-deleted.js';
import { alreadyRegistered } from '../templates/already-registered.js';
import { backupFailed } from '../templates/backup-failed.js';
import { confirmEmail } from '../templates/confirm-email.js';
import { confirmNewEmail } from '../templates/confirm-new-email.js';
import { emailChanged } from '../templates/email-changed.js';
import { invitation } from '../templates/invitation.js';
import type { AccountNotice } from '../templates/layout/account-notice.js';
import type { Letterhead } from '../templates/layout/letter.js';
import { passkeyAdded } from '../templates/passkey-added.js';
import { passwordChanged } from '../templates/password-changed.js';
import { recoveryCodeUsed } from '../templates/recovery-code-used.js';
import { resetPassword } from '../templates/reset-password.js';
import { signInLocked } from '../templates/sign-in-locked.js';
import { testMessage } from '../templates/test-message.js';
import { twoFactorSwitchedOff } from '../templates/two-factor-switched-off.js';
import { webhookPaused } from '../templates/webhook-paused.js';

/** Names that people choose, and that an attacker may choose to harm the reader. */
export interface ChosenNames {
  readonly account: string;
  readonly newEmail: string;
  readonly inviter: string;
  readonly tenantName: string;
  readonly passkeyName: string;
  readonly browser: string;
}

/** Names as they usually are. */
export const USUAL_NAMES: ChosenNames = {
  account: 'dana.schmidt@example.org',
  newEmail: 'dana@northwind.example',
  inviter: 'Jörg Müller',
  tenantName: 'Northwind IT & Söhne',
  passkeyName: 'Dana’s phone',
  browser: 'Firefox on Windows',
};

export const EXAMPLE_LETTERHEAD: Letterhead = { serviceName: 'Northwind Devices', serviceAddress: 'https://devices.example.org' };

/** The link of the mails that ask for something. */
export const EXAMPLE_LINK = 'https://devices.example.org/confirm-email?user=5e0c3f7a&code=Zk3vQ0r7Xw9sT1bLh8mYpC2dUe6fGjN4aKqRzVxWnHc';

/** The link of the notices. */
export const EXAMPLE_SECURITY_LINK = 'https://devices.example.org/account/security';

export const EXAMPLE_BACKUPS_LINK = 'https://devices.example.org/server/backups';
export const EXAMPLE_WEBHOOK_LINK = 'https://devices.example.org/webhooks/0199e0f5-6f0a-7c31-9a52-3f3f1c1f7a10';

/** Every mail, by the name of its file, with example values. */
export function exampleMails({ account, newEmail, inviter, tenantName, passkeyName, browser }: ChosenNames): Record<string, MailContent> {
  const link = EXAMPLE_LINK;
  const validUntil = new Date('2026-09-22T14:05:00Z');
  const notice: AccountNotice = {
    account,
    at: new Date('2026-09-21T14:05:00Z'),
    ipAddress: '2001:db8:85a3::8a2e:370:7334',
    browser,
    securityLink: EXAMPLE_SECURITY_LINK,
  };
  const head = EXAMPLE_LETTERHEAD;
  return {
    'account-deleted': accountDeleted(head, notice),
    'already-registered': alreadyRegistered(head, { account, link: EXAMPLE_SECURITY_LINK }),
    'backup-failed': backupFailed(head, {
      reason:
        'The disk of /var/lib/devices/backups has 12.0 MiB free, and the backup may need 80.0 MiB. Make space, or name another folder.',
      at: notice.at,
      link: EXAMPLE_BACKUPS_LINK,
    }),
    'confirm-email': confirmEmail(head, { email: account, link, validUntil }),
    'confirm-new-email': confirmNewEmail(head, { newEmail, link, validUntil }),
    'email-changed': emailChanged(head, { ...notice, newEmail }),
    invitation: invitation(head, { inviter, tenantName, link, validUntil }),
    'passkey-added': passkeyAdded(head, { ...notice, passkeyName }),
    'password-changed': passwordChanged(head, notice),
    'recovery-code-used': recoveryCodeUsed(head, { ...notice, codesLeft: 3 }),
    'reset-password': resetPassword(head, { account, link, validUntil }),
    'sign-in-locked': signInLocked(head, { ...notice, lockedUntil: new Date('2026-09-21T14:10:00Z') }),
    'test-message': testMessage(head),
    'two-factor-switched-off': twoFactorSwitchedOff(head, notice),
    'webhook-paused': webhookPaused(head, {
      host: 'hooks.northwind.example',
      reason: 'The receiver answered 503.',
      isGone: false,
      at: notice.at,
      link: EXAMPLE_WEBHOOK_LINK,
    }),
  };
}
