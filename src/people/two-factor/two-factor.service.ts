import { Injectable } from '@nestjs/common';

import type { RequestContext } from '../../access/authentication/principals/request-context.js';
import { Sessions } from '../../access/authentication/sessions/sessions.js';
import { SecurityLog, type SecurityOrigin } from '../../access/security-log/security-log.js';
import { conflict, invalidField } from '../../platform/common/errors/errors.js';
import { newGuid } from '../../platform/common/identifiers/guid.js';
import { hashSecret } from '../../platform/common/identifiers/secret.js';
import { Clock } from '../../platform/common/runtime/clock.js';
import { Settings } from '../../platform/config/settings.js';
import { UnitOfWork, type InTransaction } from '../../platform/database/queries/unit-of-work.js';
import { AccountMails } from '../mail/account-mails.js';
import { Accounts, type Account } from '../users/accounts.js';
import { authenticatorUri, newRecoveryCodes, newSharedSecret, plainRecoveryCode, stepOf, typedSecret } from './one-time-codes.js';
import { Authenticator, RecoveryCode } from './two-factor.entity.js';

type Tx = InTransaction<RequestContext>;

/** State of a user's second factor. */
export interface TwoFactorStatus {
  readonly isEnabled: boolean;
  readonly recoveryCodesLeft: number;
}

/** Data for setting up an authenticator app. */
export interface AuthenticatorKey {
  readonly sharedKey: string;
  readonly uri: string;
}

const ALREADY_ON = 'Two-factor sign-in is on. Turn it off to set up another app.';
const OFF = 'Two-factor sign-in is off.';

/** The second factor of a user: an authenticator app, and recovery codes for when it is lost. */
@Injectable()
export class TwoFactorService {
  constructor(
    private readonly accounts: Accounts,
    private readonly sessions: Sessions,
    private readonly securityLog: SecurityLog,
    private readonly mails: AccountMails,
    private readonly unitOfWork: UnitOfWork,
    private readonly settings: Settings,
    private readonly clock: Clock,
  ) {}

  async status({ manager }: Pick<RequestContext, 'manager'>, userId: string): Promise<TwoFactorStatus> {
    const account = await this.accounts.find(manager, userId);
    return { isEnabled: account?.twoFactorEnabled ?? false, recoveryCodesLeft: await manager.countBy(RecoveryCode, { userId }) };
  }

  /** Makes a key for a new app, which counts only when a code of it confirms it. 409 when the user has an app. */
  setUp(context: RequestContext, userId: string): Promise<AuthenticatorKey> {
    return this.unitOfWork.run(context, async (tx) => this.newKey(tx, await this.requireOff(tx, userId)));
  }

  /** The key that waits for a code to confirm it, or a new one where none waits. 409 when the user has an app. */
  keyInSetup(context: RequestContext, userId: string): Promise<AuthenticatorKey> {
    return this.unitOfWork.run(context, async (tx) => {
      const account = await this.requireOff(tx, userId);
      const waiting = await tx.manager.findOneBy(Authenticator, { userId });
      return waiting === null ? this.newKey(tx, account) : this.shown(account, waiting.secret);
    });
  }

  /**
   * Switches two-factor sign-in on with a code of the new app, ends the user's other sessions, and returns the recovery codes, which are
   * shown this once.
   */
  enable(context: RequestContext, userId: string, code: string, origin: SecurityOrigin): Promise<readonly string[]> {
    return this.unitOfWork.run(context, async (tx) => {
      const account = await this.requireOff(tx, userId);
      const authenticator = await tx.manager.findOneBy(Authenticator, { userId });
      if (authenticator === null) throw conflict('Set up an authenticator app first.');
      const step = stepOf(authenticator.secret, code, this.clock.milliseconds());
      if (step === null) throw invalidField('code', 'code is not what the app shows now. Check that the clock of the phone is right.');
      await tx.manager.update(Authenticator, { userId }, { confirmedAt: this.clock.now(), lastStep: step });
      await this.change(tx, account, true, origin);
      return this.replaceCodes(tx, userId);
    });
  }

  /** Switches two-factor sign-in off and ends the user's other sessions. */
  async disable(context: RequestContext, userId: string, origin: SecurityOrigin): Promise<void> {
    const changed = await this.unitOfWork.run(context, async (tx) => {
      const account = await this.accounts.lock(tx, userId);
      await tx.manager.delete(Authenticator, { userId });
      await tx.manager.delete(RecoveryCode, { userId });
      if (!account.twoFactorEnabled) return null;
      await this.change(tx, account, false, origin);
      return account;
    });
    if (changed !== null) this.mails.twoFactorSwitchedOff(changed, origin);
  }

  /** Makes new recovery codes, which are shown this once. The former ones do not work any more. 409 without two-factor sign-in. */
  newCodes(context: RequestContext, userId: string, origin: SecurityOrigin): Promise<readonly string[]> {
    return this.unitOfWork.run(context, async (tx) => {
      const account = await this.accounts.lock(tx, userId);
      if (!account.twoFactorEnabled) throw conflict(OFF);
      await this.securityLog.write(tx.manager, { user: account, kind: 'RecoveryCodesReplaced' }, origin);
      await this.accounts.log(tx, 'user-recovery-codes-replaced', account, {});
      return this.replaceCodes(tx, userId);
    });
  }

  private async requireOff(tx: Tx, userId: string): Promise<Account> {
    const account = await this.accounts.lock(tx, userId);
    if (account.twoFactorEnabled) throw conflict(ALREADY_ON);
    return account;
  }

  private async newKey({ manager }: Tx, account: Account): Promise<AuthenticatorKey> {
    const secret = newSharedSecret();
    await manager.save(Authenticator, { userId: account.id, secret, confirmedAt: null, lastStep: null });
    return this.shown(account, secret);
  }

  private shown({ userName }: Account, secret: Uint8Array): AuthenticatorKey {
    const { authenticatorIssuerName } = this.settings.appOptions;
    return { sharedKey: typedSecret(secret), uri: authenticatorUri(secret, authenticatorIssuerName, userName) };
  }

  private async change(tx: Tx, account: Account, isEnabled: boolean, origin: SecurityOrigin): Promise<void> {
    const stamp = await this.accounts.setTwoFactor(tx, account, isEnabled);
    await this.sessions.keepCallers(tx, stamp);
    await this.securityLog.write(tx.manager, { user: account, kind: isEnabled ? 'TwoFactorEnabled' : 'TwoFactorDisabled' }, origin);
  }

  private async replaceCodes({ manager }: Tx, userId: string): Promise<readonly string[]> {
    const codes = newRecoveryCodes();
    await manager.delete(RecoveryCode, { userId });
    await manager.insert(
      RecoveryCode,
      codes.map((code) => ({ id: newGuid(), userId, hashedCode: hashSecret(plainRecoveryCode(code)) })),
    );
    return codes;
  }
}
