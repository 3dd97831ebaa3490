import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

import type { RequestContext } from '../../access/authentication/principals/request-context.js';
import { ChangeLog, ChangeTarget } from '../../access/authorization/change-log/change-log.js';
import { unauthorized } from '../../platform/common/errors/errors.js';
import { newGuid } from '../../platform/common/identifiers/guid.js';
import { Clock } from '../../platform/common/runtime/clock.js';
import { mustConfirmAddresses } from '../../platform/config/mail-server.js';
import { Settings } from '../../platform/config/settings.js';
import type { InTransaction } from '../../platform/database/queries/unit-of-work.js';
import { Topic } from '../../platform/database/triggers/invalidation-topics.js';
import { endLockouts } from './end-lockouts.js';
import { normalizeName } from './user-name.js';
import { User, UserAccountType } from './user.entity.js';
import { UsersRepository } from './users.repository.js';

/** The account of a person: the columns that decide about signing in and changes. */
export type Account = Readonly<
  Pick<
    User,
    | 'id'
    | 'tenantId'
    | 'userName'
    | 'email'
    | 'emailConfirmed'
    | 'passwordHash'
    | 'securityStamp'
    | 'twoFactorEnabled'
    | 'requirePasswordChange'
    | 'accountType'
    | 'createdAt'
    | 'lastLogin'
    | 'suspendedAt'
  >
>;

/** Checks that the account is that of a person whom another system knows. */
export function isExternal({ accountType }: Pick<Account, 'accountType'>): boolean {
  return accountType === UserAccountType.ExternalUser;
}

type Tx = InTransaction<RequestContext>;

/**
 * The accounts of people as the modules around sign-in need them. Names and addresses are compared regardless of case. An account is gone
 * with its tenant, also while the rows of a deleted tenant are still being removed.
 */
@Injectable()
export class Accounts {
  constructor(
    private readonly users: UsersRepository,
    private readonly changeLog: ChangeLog,
    private readonly settings: Settings,
    private readonly clock: Clock,
  ) {}

  /** True if users must confirm their e-mail address before they sign in. */
  get mustBeConfirmed(): boolean {
    return mustConfirmAddresses(this.settings.appOptions);
  }

  /** The account of a person by its user name, which is an e-mail address; null without one. External users have none. */
  async findByName(manager: EntityManager, name: string): Promise<Account | null> {
    const where = { normalizedUserName: normalizeName(name.trim()), accountType: UserAccountType.User };
    return this.unlessTenantGone(manager, await manager.findOneBy(User, where));
  }

  /** The account with this id, external users included; null when it is gone. */
  async find(manager: EntityManager, id: string): Promise<Account | null> {
    return this.unlessTenantGone(manager, await manager.findOneBy(User, { id }));
  }

  /** The account, locked until the transaction ends; 401 when it is gone. */
  async lock({ manager }: Pick<Tx, 'manager'>, id: string): Promise<Account> {
    const user = await manager.findOne(User, { where: { id }, lock: { mode: 'pessimistic_write' } });
    const account = await this.unlessTenantGone(manager, user);
    if (account === null) throw unauthorized('The account was deleted.');
    return account;
  }

  /** Stores a sign-in at the present time, which ends the count of failures. */
  async noteSignIn({ manager }: Pick<Tx, 'manager'>, id: string): Promise<void> {
    await manager.update(User, { id }, { lastLogin: this.clock.now(), accessFailedCount: 0 });
  }

  /** Stores a sign-in by a link at the present time. A link proves nothing about who opens it, so that failures still count. */
  async noteVisit({ manager }: Pick<Tx, 'manager'>, id: string): Promise<void> {
    await manager.update(User, { id }, { lastLogin: this.clock.now() });
  }

  /** Stores a new hash of the same password, at another cost. */
  async rehash(manager: EntityManager, { id, passwordHash }: Account, rehashed: string): Promise<void> {
    if (passwordHash !== null) await manager.update(User, { id, passwordHash }, { passwordHash: rehashed });
  }

  /**
   * Sets a password that its user chose, and returns the new stamp, which ends the user's other sessions. The user need not change it
   * any more, and a lock-out ends.
   */
  async setPassword(tx: Tx, account: Account, passwordHash: string): Promise<string> {
    const securityStamp = newGuid();
    const ended = { requirePasswordChange: false, lockoutEnd: null, accessFailedCount: 0 };
    await tx.manager.update(User, { id: account.id }, { passwordHash, securityStamp, ...ended });
    await endLockouts(tx.manager, account.id);
    await this.log(tx, 'user-password-changed', account, {
      before: { hasPassword: account.passwordHash !== null, requirePasswordChange: account.requirePasswordChange },
      after: { hasPassword: true, requirePasswordChange: false },
    });
    tx.transaction.touch(Topic.CredentialOwner, account.id);
    return securityStamp;
  }

  /** Switches two-factor sign-in on or off, and returns the new stamp, which ends the user's other sessions. */
  async setTwoFactor(tx: Tx, account: Account, twoFactorEnabled: boolean): Promise<string> {
    await tx.manager.update(User, { id: account.id }, { twoFactorEnabled });
    const states = { before: { twoFactorEnabled: account.twoFactorEnabled }, after: { twoFactorEnabled } };
    await this.log(tx, twoFactorEnabled ? 'user-two-factor-enabled' : 'user-two-factor-disabled', account, states);
    return this.renewStamp(tx, account);
  }

  /**
   * Suspends an account, or lets its user sign in again with null. The new stamp ends sessions and makes every node read the credentials
   * again.
   */
  async setSuspended(tx: Tx, account: Account, suspendedAt: Date | null): Promise<void> {
    await tx.manager.update(User, { id: account.id }, { suspendedAt });
    const states = { before: { suspendedAt: account.suspendedAt }, after: { suspendedAt } };
    await this.log(tx, suspendedAt === null ? 'user-suspension-lifted' : 'user-suspended', account, states);
    await this.renewStamp(tx, account);
  }

  /** Stores that the e-mail address is known to be its user's. */
  async confirmEmail(tx: Tx, account: Account): Promise<void> {
    await tx.manager.update(User, { id: account.id }, { emailConfirmed: true });
    await this.log(tx, 'user-email-confirmed', account, {
      before: { emailConfirmed: account.emailConfirmed },
      after: { emailConfirmed: true },
    });
  }

  /**
   * Gives an account another e-mail address, which is known to be its user's and is the user name, too. Returns the new stamp, which
   * ends the user's sessions. The caller makes sure that the address is free.
   */
  async changeEmail(tx: Tx, account: Account, email: string): Promise<string> {
    const normalized = normalizeName(email);
    const names = { userName: email, normalizedUserName: normalized, email, normalizedEmail: normalized };
    await tx.manager.update(User, { id: account.id }, { ...names, emailConfirmed: true });
    await this.log(tx, 'user-email-changed', account, {
      before: { userName: account.userName, email: account.email },
      after: { userName: email, email },
    });
    return this.renewStamp(tx, account);
  }

  /** Gives an account a new stamp, which ends its sessions, after a change of how it signs in. Returns the stamp. */
  async renewStamp(tx: Tx, { id }: Pick<Account, 'id'>): Promise<string> {
    const securityStamp = newGuid();
    await tx.manager.update(User, { id }, { securityStamp });
    tx.transaction.touch(Topic.CredentialOwner, id);
    return securityStamp;
  }

  /** Writes a change of an account to the change log. */
  log(
    tx: Tx,
    action: string,
    account: Pick<Account, 'id' | 'tenantId'>,
    states: { readonly before?: object; readonly after?: object },
  ): Promise<void> {
    return this.changeLog.write(tx, { action, target: ChangeTarget.User, targetId: account.id, tenantId: account.tenantId, ...states });
  }

  private async unlessTenantGone(manager: EntityManager, user: User | null): Promise<Account | null> {
    return user !== null && (await this.users.tenantExists(manager, user.tenantId)) ? user : null;
  }
}
