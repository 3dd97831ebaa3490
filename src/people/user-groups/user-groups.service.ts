import { Injectable } from '@nestjs/common';

import type { TenantContext } from '../../access/authentication/principals/request-context.js';
import { Administrators } from '../../access/authorization/administrators/administrators.js';
import { ChangeLog, ChangeTarget } from '../../access/authorization/change-log/change-log.js';
import { Denials } from '../../access/authorization/escalation/denials.js';
import { Escalation } from '../../access/authorization/escalation/escalation.js';
import { PermissionPrincipalKind, PermissionScopeKind } from '../../access/authorization/permissions/permission.js';
import { AssignmentLifecycle } from '../../access/permission-assignments/assignment-lifecycle.js';
import { invalidField, notFound } from '../../platform/common/errors/errors.js';
import { newGuid } from '../../platform/common/identifiers/guid.js';
import { withChanges, type Changes } from '../../platform/common/resources/changes.js';
import { TaggedState, type ExpectedTags } from '../../platform/common/resources/entity-tag.js';
import type { Pages, WithPages } from '../../platform/common/resources/pages.js';
import { Clock } from '../../platform/common/runtime/clock.js';
import { UnitOfWork, type InTransaction } from '../../platform/database/queries/unit-of-work.js';
import { TenantsService } from '../../tenants/tenants/tenants.service.js';
import type { UserGroupDetailDto, UserGroupDto } from './user-group.dto.js';
import { UserGroup } from './user-group.entity.js';
import { UserGroupsRepository } from './user-groups.repository.js';

/** The members of a user group that a caller may set. */
export interface UserGroupValues {
  readonly name: string;
  readonly description: string | null;
}

/** The editable state of a user group. Its members have routes of their own. */
export const userGroupState = new TaggedState(stateOf);

type Tx = InTransaction<TenantContext>;

const GROUP = 'The user group';
const UNIQUE_NAME = { uq_user_groups_tenant_id_name: 'A user group with this name already exists.' };

/** Groups of users. Members hold the permissions of their groups. */
@Injectable()
export class UserGroupsService {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly repository: UserGroupsRepository,
    private readonly tenants: TenantsService,
    private readonly assignments: AssignmentLifecycle,
    private readonly administrators: Administrators,
    private readonly denials: Denials,
    private readonly escalation: Escalation,
    private readonly changeLog: ChangeLog,
    private readonly clock: Clock,
  ) {}

  /** The user groups of the tenant, by name. */
  list(context: TenantContext): Pages<UserGroupDto> {
    return this.repository.list(context.manager, context.tenantId);
  }

  /** One group with its members; 404 when the tenant has none with this id. */
  async get(context: TenantContext, id: string): Promise<WithPages<UserGroupDetailDto, 'members'>> {
    const group = await context.manager.findOne(UserGroup, { where: { id, tenantId: context.tenantId } });
    if (group === null) throw notFound(GROUP);
    const { name, description, createdAt } = group;
    return { id, name, description, createdAt, members: this.repository.members(context.manager, context.tenantId, id) };
  }

  /** Creates a group without members. */
  async create(context: TenantContext, { name, description }: UserGroupValues): Promise<UserGroupDetailDto> {
    return this.unitOfWork.run(
      context,
      async (tx) => {
        await this.tenants.hold(tx, tx.tenantId);
        const [id, createdAt] = [newGuid(), this.clock.now()];
        const group = tx.manager.create(UserGroup, { id, createdAt, tenantId: tx.tenantId, name, description });
        await tx.manager.insert(UserGroup, group);
        await this.log(tx, 'user-group-created', group, { after: stateOf(group) });
        return { id, name, description, createdAt, members: [] };
      },
      UNIQUE_NAME,
    );
  }

  /** Changes the name or description of a group. 412 when it is in no expected state. */
  async update(
    context: TenantContext,
    id: string,
    changes: Changes<UserGroupValues>,
    expected?: ExpectedTags,
  ): Promise<WithPages<UserGroupDetailDto, 'members'>> {
    await this.unitOfWork.run(
      context,
      async (tx) => {
        const group = await this.lock(tx, id);
        const before = stateOf(group);
        userGroupState.require(expected, group);
        const after = withChanges(before, changes);
        await tx.manager.update(UserGroup, { id }, after);
        await this.log(tx, 'user-group-updated', group, { before, after });
      },
      UNIQUE_NAME,
    );
    return this.get(context, id);
  }

  /** Deletes a group with its memberships, the assignments that it holds, and those scoped to it. 412 when it is in no expected state. */
  async remove(context: TenantContext, id: string, expected?: ExpectedTags): Promise<void> {
    await this.keepingAdministrators(context, async (tx) => {
      const group = await this.lock(tx, id);
      await this.denials.requireMayShift(tx, tx.tenantId, id);
      await this.denials.requireMayEndAt(tx, tx.tenantId, PermissionScopeKind.UserGroup, [id], 'Deleting this user group');
      userGroupState.require(expected, group);
      await this.assignments.logRemoved(tx, {
        principals: [{ principalKind: PermissionPrincipalKind.UserGroup, principalId: id }],
        scopes: [{ scopeKind: PermissionScopeKind.UserGroup, scopeId: id }],
      });
      const userIds = await this.repository.memberIds(tx.manager, id);
      await tx.manager.delete(UserGroup, { id });
      await this.log(tx, 'user-group-deleted', group, { before: { ...stateOf(group), userIds } });
      for (const userId of userIds) tx.transaction.touch(PermissionPrincipalKind.User, userId);
    });
  }

  /**
   * Adds users to a group; existing members stay. 400, without any change, when the tenant does not have one of the
   * users. New members gain all rights of the group, so the caller must hold all of them.
   */
  async addMembers(context: TenantContext, id: string, userIds: readonly string[]): Promise<void> {
    const holder = { kind: PermissionPrincipalKind.UserGroup, id, tenantId: context.tenantId };
    const wanted = [...new Set(userIds)];
    await this.keepingAdministrators(context, async (tx) => {
      const group = await this.lock(tx, id);
      await this.escalation.requireAllRightsOf(tx, holder, 'Adding members to a group gives them everything that the group holds.');
      await this.denials.requireMayShift(tx, tx.tenantId, id);
      if ((await this.repository.holdUsers(tx.manager, tx.tenantId, wanted)) < wanted.length) {
        throw invalidField('userIds', 'userIds must contain only users of the tenant.');
      }
      await this.noteMembers(tx, group, 'user-group-members-added', 'after', await this.repository.add(tx.manager, id, wanted));
    });
  }

  /** Removes users from a group. Ids of users who are not members are ignored. */
  async removeMembers(context: TenantContext, id: string, userIds: readonly string[]): Promise<void> {
    await this.keepingAdministrators(context, async (tx) => {
      const group = await this.lock(tx, id);
      await this.denials.requireMayShift(tx, tx.tenantId, id);
      await this.noteMembers(tx, group, 'user-group-members-removed', 'before', await this.repository.remove(tx.manager, id, userIds));
    });
  }

  private keepingAdministrators(context: TenantContext, work: (tx: Tx) => Promise<void>): Promise<void> {
    return this.administrators.keeping(context, { tenantId: context.tenantId }, work);
  }

  /** Locks a group. Every change of a group or of its members does so, so that changes never interleave. */
  private async lock(tx: Tx, id: string): Promise<UserGroup> {
    const group = await tx.manager.findOne(UserGroup, { where: { id, tenantId: tx.tenantId }, lock: { mode: 'pessimistic_write' } });
    if (group === null) throw notFound(GROUP);
    return group;
  }

  private async noteMembers(tx: Tx, group: UserGroup, action: string, side: 'before' | 'after', userIds: readonly string[]): Promise<void> {
    if (userIds.length === 0) return;
    for (const userId of userIds) tx.transaction.touch(PermissionPrincipalKind.User, userId);
    await this.log(tx, action, group, { [side]: { name: group.name, count: userIds.length, userIds } });
  }

  private log(tx: Tx, action: string, group: UserGroup, states: { readonly before?: object; readonly after?: object }): Promise<void> {
    return this.changeLog.write(tx, { action, target: ChangeTarget.UserGroup, targetId: group.id, tenantId: group.tenantId, ...states });
  }
}

function stateOf({ name, description }: UserGroupValues): UserGroupValues {
  return { name, description };
}
