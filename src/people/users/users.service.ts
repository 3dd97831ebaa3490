import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

import { PasswordHasher } from '../../access/authentication/passwords/password-hasher.js';
import { newTemporaryPassword } from '../../access/authentication/passwords/password-policy.js';
import { passwordSourceOf } from '../../access/authentication/passwords/password-source.js';
import { userIdOf } from '../../access/authentication/principals/principal.js';
import type { RequestContext, TenantContext } from '../../access/authentication/principals/request-context.js';
import { Administrators } from '../../access/authorization/administrators/administrators.js';
import { ChangeLog, ChangeTarget } from '../../access/authorization/change-log/change-log.js';
import { Escalation } from '../../access/authorization/escalation/escalation.js';
import { SELF_SERVICE, type PermissionPreset } from '../../access/authorization/permissions/permission-presets.js';
import { PermissionPrincipalKind } from '../../access/authorization/permissions/permission.js';
import { AssignmentLifecycle } from '../../access/permission-assignments/assignment-lifecycle.js';
import { IssuedTokens } from '../../access/permission-assignments/tokens/issued-tokens.js';
import { invalid, notFound } from '../../platform/common/errors/errors.js';
import { newGuid } from '../../platform/common/identifiers/guid.js';
import type { Pages } from '../../platform/common/resources/pages.js';
import { Clock } from '../../platform/common/runtime/clock.js';
import { Settings } from '../../platform/config/settings.js';
import { UnitOfWork, type InTransaction } from '../../platform/database/queries/unit-of-work.js';
import { Topic } from '../../platform/database/triggers/invalidation-topics.js';
import { endLockouts } from './end-lockouts.js';
import { principalsOf } from './user-belongings.js';
import { normalizeName } from './user-name.js';
import type { UserResponseDto } from './user.dto.js';
import { User, UserAccountType } from './user.entity.js';
import { UsersRepository } from './users.repository.js';

/** An account to be created for a person. */
export interface NewAccount {
  /** Also the user name. */
  readonly email: string;
  /** Null when the user cannot sign in with a password. */
  readonly passwordHash: string | null;
  /** Granted in addition to the Self Service permissions. */
  readonly presets: readonly PermissionPreset[];
  /** True if the address is known to be the person's. All are while the service sends no mail. */
  readonly isConfirmed?: boolean;
}

const USER = 'The user';

/** The people of a tenant: their accounts and their passwords. */
@Injectable()
export class UsersService {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly repository: UsersRepository,
    private readonly assignments: AssignmentLifecycle,
    private readonly issuedTokens: IssuedTokens,
    private readonly administrators: Administrators,
    private readonly escalation: Escalation,
    private readonly changeLog: ChangeLog,
    private readonly hasher: PasswordHasher,
    private readonly settings: Settings,
    private readonly clock: Clock,
  ) {}

  /** The users of the tenant by name, external ones included. */
  list(context: TenantContext): Pages<UserResponseDto> {
    return this.repository.list(context.manager, context.tenantId);
  }

  /** 404 unless the tenant has the user. Locks the user until the transaction ends. */
  async hold(tx: InTransaction<TenantContext>, id: string): Promise<void> {
    const user = await tx.manager.findOne(User, { where: { id, tenantId: tx.tenantId }, lock: { mode: 'for_key_share' } });
    if (user === null) throw notFound(USER);
  }

  /** 404 unless the tenant has the user. */
  async requireExisting({ manager, tenantId }: TenantContext, id: string): Promise<void> {
    if (!(await manager.exists(User, { where: { id, tenantId } }))) throw notFound(USER);
  }

  /** Adds a person's account to the tenant, with the Self Service permissions; null when the name or address is taken. */
  async add(tx: InTransaction<TenantContext>, { email, passwordHash, presets, isConfirmed = false }: NewAccount): Promise<User | null> {
    if (!(await this.repository.holdTenant(tx.manager, tx.tenantId))) throw notFound('The tenant');
    if (await this.isTaken(tx.manager, email)) return null;
    const normalized = normalizeName(email);
    const user = tx.manager.create(User, {
      id: newGuid(),
      createdAt: this.clock.now(),
      tenantId: tx.tenantId,
      userName: email,
      normalizedUserName: normalized,
      email,
      normalizedEmail: normalized,
      emailConfirmed: isConfirmed || this.settings.appOptions.disableEmailSending,
      passwordHash,
      securityStamp: newGuid(),
      accountType: UserAccountType.User,
    });
    if (!(await this.repository.insert(tx.manager, user))) return null;
    await this.log(tx, 'user-created', user, { after: { ...stateOf(user), presets: presets.map(({ name }) => name) } });
    const reference = { principalKind: PermissionPrincipalKind.User, principalId: user.id };
    await this.assignments.seed(tx, tx.tenantId, reference, [SELF_SERVICE, ...presets]);
    return user;
  }

  /** Deletes a user with its tokens, those made with them, its memberships and assignments. Users cannot delete themselves (400). */
  async remove(context: TenantContext, id: string): Promise<void> {
    await this.administrators.keeping(context, { tenantId: context.tenantId }, (tx) => this.removeIn(tx, id));
  }

  /** Deletes a user. The caller must already guard the last administrator. */
  async removeIn(tx: InTransaction<TenantContext>, id: string): Promise<void> {
    if (tx.principal.type === 'User' && tx.principal.id === id)
      throw invalid('You cannot delete your own account here. Ask another administrator.');
    await this.removeLocked(tx, await this.lock(tx, id));
  }

  /**
   * Deletes the calling user's own account, after `before` was done in the same transaction. 400 for the last administrator of the
   * tenant or of the server.
   */
  async removeOwn(context: TenantContext, before: (tx: InTransaction<TenantContext>) => Promise<void>): Promise<void> {
    const id = userIdOf(context.principal);
    await this.administrators.keeping(context, { tenantId: context.tenantId }, async (tx) => {
      const user = await this.lock(tx, id);
      await before(tx);
      await this.removeLocked(tx, user);
    });
  }

  private async removeLocked(tx: InTransaction<TenantContext>, user: User): Promise<void> {
    const { id } = user;
    const belongings = await this.repository.belongings(tx.manager, id);
    await this.assignments.logRemoved(tx, { principals: principalsOf(id, belongings) });
    await this.issuedTokens.logEndedOf(tx, id);
    await tx.manager.delete(User, { id });
    await this.log(tx, 'user-deleted', user, { before: { ...stateOf(user), ...belongings } });
    tx.transaction.touch(Topic.CredentialOwner, id);
  }

  /**
   * Sets a temporary password that the user must change at the next sign-in, and ends a lock-out and an invite: its link would set
   * another password of an account that is in use. The caller could then sign in as the user, so it must hold everything that the user
   * holds.
   */
  async resetPassword(context: TenantContext, id: string): Promise<string> {
    const { accountType } = await this.find(context, id);
    const holder = { kind: PermissionPrincipalKind.User, id, tenantId: context.tenantId };
    const requireAllRightsOf = (asker: TenantContext): Promise<void> =>
      this.escalation.requireAllRightsOf(asker, holder, 'Resetting the password of a user lets you act as that user.');
    // Hashing takes long: refused callers must not cause it, and rights may end while it runs.
    await requireAllRightsOf(context);
    if (accountType === UserAccountType.ExternalUser) throw invalid('External users have no password: they sign in with logon tokens.');
    const password = newTemporaryPassword();
    const passwordHash = await this.hasher.hash(passwordSourceOf(context.tenantId), password);
    await this.unitOfWork.run(context, async (tx) => {
      // Before the user, as those do who accept or withdraw it.
      const invite = await this.repository.endInvite(tx.manager, tx.tenantId, id);
      const user = await this.lock(tx, id);
      await requireAllRightsOf(tx);
      if (invite !== null) {
        const { id: targetId, ...ended } = invite;
        const about = { target: ChangeTarget.Invite, targetId, tenantId: tx.tenantId };
        await this.changeLog.write(tx, { action: 'invite-deleted', ...about, before: ended });
      }
      const before = stateOf(user);
      Object.assign(user, { passwordHash, securityStamp: newGuid(), requirePasswordChange: true, lockoutEnd: null, accessFailedCount: 0 });
      const { securityStamp, requirePasswordChange, lockoutEnd, accessFailedCount } = user;
      await tx.manager.update(User, { id }, { passwordHash, securityStamp, requirePasswordChange, lockoutEnd, accessFailedCount });
      await endLockouts(tx.manager, id);
      await this.log(tx, 'user-password-reset', user, { before, after: stateOf(user) });
      tx.transaction.touch(Topic.CredentialOwner, id);
    });
    return password;
  }

  /** Checks that a person anywhere on the server has the name, or the e-mail address where addresses are unique. */
  async isTaken(manager: EntityManager, email: string): Promise<boolean> {
    const normalized = normalizeName(email);
    const mustBeUnique = this.settings.appOptions.requireUserUniqueEmail;
    return (mustBeUnique && (await this.repository.hasEmail(manager, normalized))) || this.repository.hasName(manager, normalized);
  }

  /** Checks that the server has any user, external ones included. */
  exist(manager: EntityManager): Promise<boolean> {
    return manager.exists(User);
  }

  /** Name of a user as others see it: the name that the user chose to show, or the user name. */
  shownNameOf(manager: EntityManager, id: string): Promise<string | null> {
    return this.repository.shownNameOf(manager, id);
  }

  /** The e-mail address of a user, or null when it has none. */
  async emailOf(manager: EntityManager, id: string): Promise<string | null> {
    return (await manager.findOne(User, { select: { email: true }, where: { id } }))?.email ?? null;
  }

  private async find({ manager, tenantId }: TenantContext, id: string): Promise<User> {
    const user = await manager.findOneBy(User, { id, tenantId });
    if (user === null) throw notFound(USER);
    return user;
  }

  private async lock(tx: InTransaction<TenantContext>, id: string): Promise<User> {
    const user = await tx.manager.findOne(User, { where: { id, tenantId: tx.tenantId }, lock: { mode: 'pessimistic_write' } });
    if (user === null) throw notFound(USER);
    return user;
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

function stateOf({ userName, email, accountType, passwordHash, requirePasswordChange, lockoutEnd }: User): object {
  return { userName, email, accountType, hasPassword: passwordHash !== null, requirePasswordChange, lockoutEnd };
}
