import { Injectable } from '@nestjs/common';

import { browserName } from '../authentication/browser-name.js';
import type { Visitor } from '../authentication/visitors.js';
import { Clock } from '../common/clock.js';
import { Letterheads } from './letterheads.js';
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

/** Whom a mail goes to. */
export interface MailAccount {
  readonly userName: string;
  /** Accounts without an address get no mail. */
  readonly email: string | null;
}

/** What led to a mail. */
export interface MailOccasion {
  readonly visitor: Visitor;
}

/** A code that a mail brings. */
export interface MailedCode {
  readonly code: string;
  readonly validUntil: Date;
}

/** Who invites to what. */
export interface MailedInvitation {
  readonly inviter: string | null;
  readonly tenantName: string | null;
  readonly link: string;
  readonly validUntil: Date;
}

/** Pages of the web front end. Codes stand behind the #, which browsers send to no server. */
const PAGE = { confirmEmail: '/confirm-email', resetPassword: '/reset', signIn: '/signin', security: '/account/security' };

/** Every mail about an account. They are sent after the request that causes them. */
@Injectable()
export class AccountMails {
  constructor(
    private readonly mail: MailService,
    private readonly letterheads: Letterheads,
    private readonly limit: RecipientLimit,
    private readonly metrics: MailMetrics,
    private readonly clock: Clock,
  ) {}

  /** Asks for a proof that the address of an account is its user's. */
  confirmEmail(email: string, { code, validUntil }: MailedCode, { visitor: { serviceAddress } }: MailOccasion): void {
    const link = `${serviceAddress}${PAGE.confirmEmail}#code=${code}`;
    this.send('confirmEmail', email, confirmEmail(this.head(serviceAddress), { email, link, validUntil }));
  }

  /** Asks for a proof that the new address of an account is its user's. */
  confirmNewEmail(newEmail: string, { code, validUntil }: MailedCode, { visitor: { serviceAddress } }: MailOccasion): void {
    const link = `${serviceAddress}${PAGE.confirmEmail}#code=${code}`;
    this.send('confirmNewEmail', newEmail, confirmNewEmail(this.head(serviceAddress), { newEmail, link, validUntil }));
  }

  /** Tells the owner of an account that somebody gave its address for another one. */
  alreadyRegistered({ userName, email }: MailAccount, { visitor: { serviceAddress } }: MailOccasion): void {
    const link = `${serviceAddress}${PAGE.signIn}`;
    this.send('alreadyRegistered', email, alreadyRegistered(this.head(serviceAddress), { account: userName, link }));
  }

  /** Brings the link with which a user chooses a new password. */
  resetPassword({ userName, email }: MailAccount, { code, validUntil }: MailedCode, { visitor: { serviceAddress } }: MailOccasion): void {
    const link = `${serviceAddress}${PAGE.resetPassword}#code=${code}`;
    this.send('resetPassword', email, resetPassword(this.head(serviceAddress), { account: userName, link, validUntil }));
  }

  /** Brings the link with which an invited person accepts. */
  invitation(email: string, invited: MailedInvitation, serviceAddress: string): void {
    this.send('invitation', email, invitation(this.head(serviceAddress), invited));
  }

  passwordChanged(account: MailAccount, occasion: MailOccasion): void {
    this.send(
      'passwordChanged',
      account.email,
      passwordChanged(this.head(occasion.visitor.serviceAddress), this.notice(account, occasion)),
    );
  }

  passkeyAdded(account: MailAccount, passkeyName: string, occasion: MailOccasion): void {
    this.send(
      'passkeyAdded',
      account.email,
      passkeyAdded(this.head(occasion.visitor.serviceAddress), { ...this.notice(account, occasion), passkeyName }),
    );
  }

  recoveryCodeUsed(account: MailAccount, codesLeft: number, occasion: MailOccasion): void {
    this.send(
      'recoveryCodeUsed',
      account.email,
      recoveryCodeUsed(this.head(occasion.visitor.serviceAddress), { ...this.notice(account, occasion), codesLeft }),
    );
  }

  twoFactorSwitchedOff(account: MailAccount, occasion: MailOccasion): void {
    this.send(
      'twoFactorSwitchedOff',
      account.email,
      twoFactorSwitchedOff(this.head(occasion.visitor.serviceAddress), this.notice(account, occasion)),
    );
  }

  signInLocked(account: MailAccount, lockedUntil: Date, occasion: MailOccasion): void {
    this.send(
      'signInLocked',
      account.email,
      signInLocked(this.head(occasion.visitor.serviceAddress), { ...this.notice(account, occasion), lockedUntil }),
    );
  }

  /** Goes to the former address. */
  emailChanged(former: MailAccount, newEmail: string, occasion: MailOccasion): void {
    this.send(
      'emailChanged',
      former.email,
      emailChanged(this.head(occasion.visitor.serviceAddress), { ...this.event(former, occasion), newEmail }),
    );
  }

  accountDeleted(former: MailAccount, occasion: MailOccasion): void {
    this.send('accountDeleted', former.email, accountDeleted(this.head(occasion.visitor.serviceAddress), this.event(former, occasion)));
  }

  private event({ userName }: MailAccount, { visitor }: MailOccasion): AccountEvent {
    return { account: userName, at: this.clock.now(), ipAddress: visitor.remoteAddress, browser: browserName(visitor.userAgent) };
  }

  private notice(account: MailAccount, occasion: MailOccasion): AccountNotice {
    return { ...this.event(account, occasion), securityLink: `${occasion.visitor.serviceAddress}${PAGE.security}` };
  }

  private head(serviceAddress: string): Letterhead {
    return this.letterheads.of(serviceAddress);
  }

  private send(kind: string, to: string | null, content: MailContent): void {
    if (to === null) return;
    if (this.limit.takes(kind, to)) this.mail.sendLater({ to, ...content });
    else this.metrics.lost('recipient_limit');
  }
}
