import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

import { systemContext, type RequestContext, type TenantContext } from '../../access/authentication/principals/request-context.js';
import { ChangeLog, ChangeTarget } from '../../access/authorization/change-log/change-log.js';
import { AssignmentLifecycle } from '../../access/permission-assignments/assignment-lifecycle.js';
import { IssuedTokens } from '../../access/permission-assignments/tokens/issued-tokens.js';
import { invalidField } from '../../platform/common/errors/errors.js';
import { newGuid } from '../../platform/common/identifiers/guid.js';
import { Clock } from '../../platform/common/runtime/clock.js';
import { Settings } from '../../platform/config/settings.js';
import { UnitOfWork, type InTransaction } from '../../platform/database/queries/unit-of-work.js';
import { Topic } from '../../platform/database/triggers/invalidation-topics.js';
import { preference } from '../user-preferences/known-user-preferences.js';
import { externalAddress, externalUserName } from './external-user-name.js';
import { ExternalUsersRepository } from './external-users.repository.js';
import { principalsOf } from './user-belongings.js';
import { normalizeName } from './user-name.js';
import { User, UserAccountType } from './user.entity.js';
import { UsersRepository } from './users.repository.js';

/** A person whom another system knows and who signs in with logon tokens only. */
export interface ExternalPerson {
  /** The id of the person in the other system. */
  readonly correlationId: string;
  /** The display name. Null and an invalid name keep the stored one: a token is not refused because of a display name. */
  readonly displayName: string | null;
}

/** Longest correlation id, in characters. */
export const MAXIMUM_CORRELATION_ID_LENGTH = 200;

/** The domain of generated addresses if none is configured. No mail is sent to them. */
const DEFAULT_LOCAL_DOMAIN = 'localhost';
/** Most attempts to look up or add a user when other transactions interfere. */
const MAXIMUM_ATTEMPTS = 3;
/** Users that one transaction deletes. */
const REMOVAL_BATCH = 200;

/**
 * External users. A user without password and permissions is created when a logon token first names a person of another
 * system, and deleted after a time without sign-in.
 */
@Injectable()
export class ExternalUsersService {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly repository: ExternalUsersRepository,
    private readonly users: UsersRepository,
    private readonly assignments: AssignmentLifecycle,
    private readonly issuedTokens: IssuedTokens,
    private readonly changeLog: ChangeLog,
    private readonly settings: Settings,
    private readonly clock: Clock,
    private readonly dataSource: DataSource,
  ) {}

  /**
   * The external user for a person, created if necessary and locked until the transaction ends. Concurrent calls create
   * only one. Ids that differ in letter case are different people, as for identity providers. 400 when the user name
   * belongs to a user who is not external.
   */
  async findOrCreate(tx: InTransaction<TenantContext>, { correlationId, displayName }: ExternalPerson): Promise<User> {
    const name = externalUserName(correlationId);
    if (await this.repository.isTakenByPerson(tx.manager, normalizeName(name))) {
      throw invalidField('userCorrelationId', 'userCorrelationId belongs to an account that is not an external user.');
    }
    const user = await this.holdOrInsert(tx, name);
    const shown = preference.userDisplayName.parse((displayName ?? '').trim());
    if (shown !== undefined && shown !== '') await this.repository.setDisplayName(tx.manager, user.id, shown);
    return user;
  }

  /**
   * Deletes external users who have not signed in for `ExternalUserCleanupAfterDays` (since their creation if they
   * never did) and returns how many. Users with a usable logon token stay.
   */
  async removeInactive(signal: AbortSignal): Promise<number> {
    const days = this.settings.appOptions.externalUserCleanupAfterDays;
    if (days < 1) return 0;
    let removed = 0;
    for (let batch = REMOVAL_BATCH; batch === REMOVAL_BATCH && !signal.aborted; removed += batch) batch = await this.removeSome(days);
    return removed;
  }

  private removeSome(days: number): Promise<number> {
    return this.unitOfWork.run(systemContext('external-users', this.dataSource.manager), async (tx) => {
      const users = await this.repository.lockInactive(tx.manager, this.clock.daysAgo(days), this.clock.now(), REMOVAL_BATCH);
      if (users.length === 0) return 0;
      for (const user of users) await this.removeOne(tx, user);
      return users.length;
    });
  }

  private async removeOne(tx: InTransaction<RequestContext>, user: User): Promise<void> {
    const belongings = await this.users.belongings(tx.manager, user.id);
    await this.assignments.logRemoved(tx, { principals: principalsOf(user.id, belongings) });
    await this.issuedTokens.logEndedOf(tx, user.id);
    await tx.manager.delete(User, { id: user.id });
    await this.log(tx, 'user-deleted', user, { before: { ...stateOf(user), ...belongings } });
    tx.transaction.touch(Topic.CredentialOwner, user.id);
  }

  private async holdOrInsert(tx: InTransaction<TenantContext>, name: string, attempt = 1): Promise<User> {
    const known = await this.repository.hold(tx.manager, tx.tenantId, name);
    if (known !== null) return known;
    const email = externalAddress(name, this.settings.appOptions.smtpLocalDomain || DEFAULT_LOCAL_DOMAIN);
    const user = tx.manager.create(User, {
      id: newGuid(),
      createdAt: this.clock.now(),
      tenantId: tx.tenantId,
      userName: name,
      normalizedUserName: name,
      email,
      normalizedEmail: email === null ? null : normalizeName(email),
      passwordHash: null,
      securityStamp: newGuid(),
      accountType: UserAccountType.ExternalUser,
    });
    if (await this.repository.insert(tx.manager, user)) {
      await this.log(tx, 'user-created', user, { after: stateOf(user) });
      return user;
    }
    if (attempt === MAXIMUM_ATTEMPTS) throw new Error('Other transactions kept adding and deleting the external user.');
    return this.holdOrInsert(tx, name, attempt + 1);
  }

  private log(
    tx: InTransaction<RequestContext>,
    action: string,
    user: User,
    states: { readonly before?: object; readonly after?: object },
  ): Promise<void> {
    return this.changeLog.write(tx, { action, target: ChangeTarget.User, targetId: user.id, tenantId: user.tenantId, ...states });
  }
}

function stateOf({ userName, email, accountType }: User): object {
  return { userName, email, accountType };
}
