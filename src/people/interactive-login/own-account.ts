import { Injectable } from '@nestjs/common';

import { requireNoLogonToken, type Principal } from '../../access/authentication/principals/principal.js';
import type { RequestContext } from '../../access/authentication/principals/request-context.js';
import type { SecurityOrigin } from '../../access/security-log/security-log.js';
import { invalid, notFound, unauthorized } from '../../platform/common/errors/errors.js';
import { Clock } from '../../platform/common/runtime/clock.js';
import { PasswordResets } from '../registration/password-resets.js';
import { Passwords } from '../registration/passwords.js';
import { IdentityCheck } from '../sign-in/identity-check.js';
import { refusedIdentity, SUSPENDED } from '../sign-in/refused-identity.js';
import { Accounts, type Account } from '../users/accounts.js';
import { UserPresence } from '../users/user-presence.js';
import { inOneText } from './failure-answers.js';
import type { ChangePasswordWithCredentialsRequestDto, CompletePasswordResetRequestDto, OwnUserDto } from './interactive-login.dto.js';

/** Reads and changes the caller's own account through the internal API. The rules are those of {@link Passwords} and {@link PasswordResets}. */
@Injectable()
export class OwnAccount {
  constructor(
    private readonly passwords: Passwords,
    private readonly resets: PasswordResets,
    private readonly check: IdentityCheck,
    private readonly accounts: Accounts,
    private readonly presence: UserPresence,
    private readonly clock: Clock,
  ) {}

  /** The account of the caller; 404 for callers without one. */
  async of({ principal, manager }: Pick<RequestContext, 'principal' | 'manager'>): Promise<Account> {
    const account = isUser(principal) ? await this.accounts.find(manager, principal.id) : null;
    if (account === null) throw notFound('A user record of the caller');
    return account;
  }

  async me(context: RequestContext): Promise<OwnUserDto> {
    const { id, userName, email, createdAt, requirePasswordChange, twoFactorEnabled, emailConfirmed, tenantId } = await this.of(context);
    const isOnline = await this.presence.isOnline(id);
    return { id, userName, email, createdAt, isOnline, requirePasswordChange, twoFactorEnabled, emailConfirmed, tenantId };
  }

  async changePassword(context: RequestContext, currentPassword: string, newPassword: string, origin: SecurityOrigin): Promise<void> {
    if (!isUser(context.principal)) throw invalid('The caller has no user record, and so no password.');
    requireNoLogonToken(context.principal);
    await inOneText(this.passwords.change(context, currentPassword, newPassword, origin));
  }

  /** Changes a password without a session. 400 when something is missing or the code is wrong, 401 for credentials that do not sign in. */
  async changePasswordWithCredentials(
    context: RequestContext,
    { email, currentPassword, newPassword, twoFactorCode }: ChangePasswordWithCredentialsRequestDto,
    origin: SecurityOrigin,
  ): Promise<void> {
    for (const [name, value] of Object.entries({ email, currentPassword }))
      if (value.trim() === '') throw invalid(`${name} must not be blank.`);
    const outcome = await this.check.ofName(email, { password: currentPassword, twoFactorCode }, origin);
    switch (outcome.kind) {
      case 'Accepted':
      case 'EmailNotConfirmed':
        return inOneText(this.passwords.replace(context, outcome.account, { currentPassword, newPassword }, origin));
      case 'TwoFactorRequired':
        throw invalid('The code from the authenticator app is required.');
      case 'Refused':
        if (outcome.isCodeWrong) throw invalid('The code from the authenticator app is wrong.');
        throw refusedIdentity(outcome, this.clock.milliseconds());
      case 'LockedOut':
        throw refusedIdentity(outcome, this.clock.milliseconds());
      case 'Suspended':
        throw unauthorized(SUSPENDED);
    }
  }

  /** Sets a password with a mailed code. An unknown address is answered like success, as the contract says. */
  async completePasswordReset(
    context: RequestContext,
    { email, resetCode, newPassword }: CompletePasswordResetRequestDto,
    origin: SecurityOrigin,
  ): Promise<void> {
    if ((await this.accounts.findByName(context.manager, email)) === null) return;
    await inOneText(this.resets.complete(context, { email, code: plainCode(resetCode), newPassword }, origin));
  }
}

function isUser(principal: Principal): principal is Extract<Principal, { type: 'User' }> {
  return principal.type === 'User';
}

/** A mailed code, which may come as base64url. A plain one has a colon, which base64url never has. */
function plainCode(code: string): string {
  return code.includes(':') ? code : Buffer.from(code, 'base64url').toString('utf8');
}
