import { Injectable, Logger } from '@nestjs/common';

import { browserName } from '../../access/authentication/visitors/browser-name.js';
import type { Visitor } from '../../access/authentication/visitors/visitors.js';
import { inviteUrl } from '../../platform/common/addresses/invite-page.js';
import { Clock } from '../../platform/common/runtime/clock.js';
import { Letterheads } from './letterheads.js';
import { MailAvailability } from './mail-availability.js';
import type { MailContent } from './mail-message.js';
import { MailMetrics } from './mail-metrics.js';
import { MailService } from './mail.service.js';
import { RecipientLimit } from './recipient-limit.js';
import { accountDeleted } from './templates/account-deleted.js';
import { alreadyRegistered } from './templates/already-registered.js';
import { confirmEmail } from './templates/confirm-email.js';
import { confirmNewEmail } from './templates/confirm-new-email.js';
import { emailChanged } from './templates/email-changed.js';
import { invitation } from './templates/invitation.js';
import type { AccountEvent, AccountNotice } from './templates/layout/account-notice.js';
import type { Letterhead } from './templates/layout/letter.js';
import { passkeyAdded } from './templates/passkey-added.js';
import { passwordChanged } from './templates/password-changed.js';
import { recoveryCodeUsed } from './templates/recovery-code-used.js';
import { resetPassword } from './templates/reset-password.js';
import { signInLocked } from './templates/sign-in-locked.js';
import { twoFactorSwitchedOff } from './templates/two-factor-switched-off.js';

/** The account that a mail goes to. */
export interface MailAccount {
  readonly userName: string;
  /** Accounts without an address get no mail. */
  readonly email: string | null;
}

/** The event that led to a mail. */
export interface MailOccasion {
  readonly visitor: Visitor;
}

/** A code that a mail brings. */
export interface MailedCode {
  readonly code: string;
  readonly validUntil: Date;
}

/** Details of an invite for its mail. */
export interface MailedInvitation {
  readonly inviter: string | null;
  readonly tenantName: string | null;
  /** The code at the end of the invite's link. */
  readonly activationCode: string;
  readonly validUntil: Date;
}

/** Pages of the web front end. */
const PAGE = { confirmEmail: '/confirm-email', resetPassword: '/reset', signIn: '/signin', security: '/account/security' };

/** Every mail about an account. They are sent after the request that causes them. Where no mail is sent, a line of the log says so. */
@Injectable()
export class AccountMails {
  private readonly logger = new Logger('Mail');

  constructor(
    private readonly mail: MailService,
    private readonly letterheads: Letterheads,
    private readonly availability: MailAvailability,
    private readonly limit: RecipientLimit,
    private readonly metrics: MailMetrics,
    private readonly clock: Clock,
  ) {}

  /** Asks for a proof that the address of an account is its user's. */
  confirmEmail(email: string, { code, validUntil }: MailedCode): void {
    this.send('confirmEmail', email, (head) => confirmEmail(head, { email, link: linkOf(head, PAGE.confirmEmail, code), validUntil }));
  }

  /** Asks for a proof that the new address of an account is its user's. */
  confirmNewEmail(newEmail: string, { code, validUntil }: MailedCode): void {
    this.send('confirmNewEmail', newEmail, (head) =>
      confirmNewEmail(head, { newEmail, link: linkOf(head, PAGE.confirmEmail, code), validUntil }),
    );
  }

  /** Tells the owner of an account that its address was given for another account. */
  alreadyRegistered({ userName, email }: MailAccount): void {
    this.send('alreadyRegistered', email, (head) => alreadyRegistered(head, { account: userName, link: linkOf(head, PAGE.signIn) }));
  }

  /** Brings the link with which a user chooses a new password. */
  resetPassword({ userName, email }: MailAccount, { code, validUntil }: MailedCode): void {
    this.send('resetPassword', email, (head) =>
      resetPassword(head, { account: userName, link: linkOf(head, PAGE.resetPassword, code), validUntil }),
    );
  }

  /** Brings the link with which an invited person accepts. */
  invitation(email: string, { inviter, tenantName, activationCode, validUntil }: MailedInvitation): void {
    this.send('invitation', email, (head) =>
      invitation(head, { inviter, tenantName, link: inviteUrl(head.serviceAddress, activationCode), validUntil }),
    );
  }

  passwordChanged(account: MailAccount, occasion: MailOccasion): void {
    this.send('passwordChanged', account.email, (head) => passwordChanged(head, this.notice(head, account, occasion)));
  }

  passkeyAdded(account: MailAccount, passkeyName: string, occasion: MailOccasion): void {
    this.send('passkeyAdded', account.email, (head) => passkeyAdded(head, { ...this.notice(head, account, occasion), passkeyName }));
  }

  recoveryCodeUsed(account: MailAccount, codesLeft: number, occasion: MailOccasion): void {
    this.send('recoveryCodeUsed', account.email, (head) => recoveryCodeUsed(head, { ...this.notice(head, account, occasion), codesLeft }));
  }

  twoFactorSwitchedOff(account: MailAccount, occasion: MailOccasion): void {
    this.send('twoFactorSwitchedOff', account.email, (head) => twoFactorSwitchedOff(head, this.notice(head, account, occasion)));
  }

  signInLocked(account: MailAccount, lockedUntil: Date, occasion: MailOccasion): void {
    this.send('signInLocked', account.email, (head) => signInLocked(head, { ...this.notice(head, account, occasion), lockedUntil }));
  }

  /** Goes to the former address. */
  emailChanged(former: MailAccount, newEmail: string, occasion: MailOccasion): void {
    this.send('emailChanged', former.email, (head) => emailChanged(head, { ...this.event(former, occasion), newEmail }));
  }

  accountDeleted(former: MailAccount, occasion: MailOccasion): void {
    this.send('accountDeleted', former.email, (head) => accountDeleted(head, this.event(former, occasion)));
  }

  private event({ userName }: MailAccount, { visitor }: MailOccasion): AccountEvent {
    return { account: userName, at: this.clock.now(), ipAddress: visitor.remoteAddress, browser: browserName(visitor.userAgent) };
  }

  private notice(head: Letterhead, account: MailAccount, occasion: MailOccasion): AccountNotice {
    return { ...this.event(account, occasion), securityLink: linkOf(head, PAGE.security) };
  }

  private send(kind: string, to: string | null, write: (head: Letterhead) => MailContent): void {
    if (to === null) return;
    const { obstacle } = this.availability;
    if (obstacle !== null) {
      this.logger.warn({ message: 'A mail was not sent.', kind, reason: obstacle });
      this.metrics.lost('unavailable');
    } else if (this.limit.takes(kind, to)) this.mail.sendLater({ to, ...write(this.letterheads.current()) });
    else this.metrics.lost('recipient_limit');
  }
}

/** The link to a page. Codes stand behind the #, which browsers send to no server. */
function linkOf({ serviceAddress }: Letterhead, page: string, code?: string): string {
  return `${serviceAddress}${page}${code === undefined ? '' : `#code=${code}`}`;
}
