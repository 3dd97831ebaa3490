import { Injectable } from '@nestjs/common';

import type { TenantContext } from '../../access/authentication/principals/request-context.js';
import { ChangeLog, ChangeTarget } from '../../access/authorization/change-log/change-log.js';
import { Denials } from '../../access/authorization/escalation/denials.js';
import { Escalation } from '../../access/authorization/escalation/escalation.js';
import { requireIncoming } from '../../access/authorization/escalation/move-rights.js';
import { PermissionScopeKind } from '../../access/authorization/permissions/permission.js';
import { AssignmentLifecycle } from '../../access/permission-assignments/assignment-lifecycle.js';
import { notFound } from '../../platform/common/errors/errors.js';
import { newGuid } from '../../platform/common/identifiers/guid.js';
import { withChanges, type Changes } from '../../platform/common/resources/changes.js';
import { TaggedState, type ExpectedTags } from '../../platform/common/resources/entity-tag.js';
import type { Pages, WithPages } from '../../platform/common/resources/pages.js';
import { Clock } from '../../platform/common/runtime/clock.js';
import { UnitOfWork, type InTransaction } from '../../platform/database/queries/unit-of-work.js';
import { TenantsService } from '../../tenants/tenants/tenants.service.js';
import { LockedDevices, MAXIMUM_NAMED_DEVICES, requireEach, touchDevices } from '../devices/locked-devices.js';
import type { DeviceGroupDetailDto, DeviceGroupDto } from './device-group.dto.js';
import { DeviceGroup } from './device-group.entity.js';
import { DeviceGroupsRepository } from './device-groups.repository.js';

/** The members of a device group that a caller may set. */
export type DeviceGroupValues = Pick<DeviceGroup, 'name' | 'description'>;

/** The editable state of a device group. Its members have routes of their own. */
export const deviceGroupState = new TaggedState(stateOf);

type Tx = InTransaction<TenantContext>;

const DEVICE_GROUP = 'The device group';
const UNIQUE_NAME = { uq_device_groups_tenant_id_name: 'A device group with this name already exists.' };

/** The device groups of a tenant and their members. A device can be in any number of groups. */
@Injectable()
export class DeviceGroupsService {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly repository: DeviceGroupsRepository,
    private readonly denials: Denials,
    private readonly escalation: Escalation,
    private readonly changeLog: ChangeLog,
    private readonly clock: Clock,
    private readonly tenants: TenantsService,
    private readonly devices: LockedDevices,
    private readonly assignments: AssignmentLifecycle,
  ) {}

  /** The device groups of the tenant, by name. */
  list(context: TenantContext): Pages<DeviceGroupDto> {
    return this.repository.list(context.manager, context.tenantId);
  }

  /** One device group with its members by device name; 404 when the tenant has none with this id. */
  async get(context: TenantContext, id: string): Promise<WithPages<DeviceGroupDetailDto, 'members'>> {
    const group = await context.manager.findOne(DeviceGroup, { where: { id, tenantId: context.tenantId } });
    if (group === null) throw notFound(DEVICE_GROUP);
    const { name, description, createdAt } = group;
    return { id, name, description, createdAt, members: this.repository.members(context.manager, context.tenantId, id) };
  }

  /** Creates a device group without members; 409 when the tenant has one with this name. */
  async create(context: TenantContext, values: DeviceGroupValues): Promise<DeviceGroupDetailDto> {
    const { name, description } = values;
    const id = newGuid();
    return this.unitOfWork.run(
      context,
      async (tx) => {
        await this.tenants.hold(tx, tx.tenantId);
        const createdAt = this.clock.now();
        await tx.manager.insert(DeviceGroup, { id, tenantId: tx.tenantId, name, description, createdAt });
        await this.log(tx, 'device-group-created', id, undefined, stateOf(values));
        return { id, name, description, createdAt, members: [] };
      },
      UNIQUE_NAME,
    );
  }

  /** Changes the name or description of a device group. 412 when it is in no expected state. */
  async update(
    context: TenantContext,
    id: string,
    changes: Changes<DeviceGroupValues>,
    expected?: ExpectedTags,
  ): Promise<WithPages<DeviceGroupDetailDto, 'members'>> {
    await this.unitOfWork.run(
      context,
      async (tx) => {
        const before = stateOf(await this.lock(tx, id, 'pessimistic_write'));
        deviceGroupState.require(expected, before);
        const after = withChanges(before, changes);
        await tx.manager.update(DeviceGroup, { id }, after);
        await this.log(tx, 'device-group-updated', id, before, after);
      },
      UNIQUE_NAME,
    );
    return this.get(context, id);
  }

  /** Deletes a device group with its memberships and the assignments scoped to it. 412 when it is in no expected state. */
  async remove(context: TenantContext, id: string, expected?: ExpectedTags): Promise<void> {
    await this.unitOfWork.run(context, async (tx) => {
      const group = await this.lock(tx, id, 'pessimistic_write');
      const scopeKind = PermissionScopeKind.DeviceGroup;
      await this.denials.requireMayEndAt(tx, tx.tenantId, scopeKind, [id], 'Deleting this device group');
      deviceGroupState.require(expected, group);
      await this.assignments.logRemoved(tx, { scopes: [{ scopeKind, scopeId: id }] });
      const memberCount = await this.repository.memberCount(tx.manager, id);
      const deviceIds = await this.repository.memberIds(tx.manager, id, MAXIMUM_NAMED_DEVICES);
      await tx.manager.delete(DeviceGroup, { id });
      await this.log(tx, 'device-group-deleted', id, { ...stateOf(group), memberCount, deviceIds }, undefined);
      touchDevices(tx.transaction, deviceIds, memberCount);
    });
  }

  /** Adds devices to a group. 400, without any change, when one does not belong to the tenant. Existing members are ignored. */
  async addMembers(context: TenantContext, id: string, deviceIds: readonly string[]): Promise<void> {
    await this.unitOfWork.run(context, async (tx) => {
      await this.lock(tx, id, 'for_key_share');
      const held = await this.devices.hold(tx, deviceIds, () => this.escalation.readableDevices(tx));
      const named = requireEach(held, deviceIds, 'deviceIds');
      // The devices are locked, so that no other transaction makes them members before this one ends.
      const present = await this.repository.membersAmong(tx.manager, id, deviceIds);
      const added = named.filter((device) => !present.has(device.id));
      requireIncoming(added);
      if (added.length === 0) return;
      const addedIds = added.map((device) => device.id);
      await this.repository.add(tx.manager, id, addedIds);
      await this.log(tx, 'device-group-members-added', id, undefined, { count: addedIds.length, deviceIds: addedIds });
      touchDevices(tx.transaction, addedIds);
    });
  }

  /** Removes devices from a group. Ids that are not members are ignored. */
  async removeMembers(context: TenantContext, id: string, deviceIds: readonly string[]): Promise<void> {
    await this.unitOfWork.run(context, async (tx) => {
      await this.lock(tx, id, 'for_key_share');
      const removedIds = await this.repository.remove(tx.manager, id, deviceIds);
      if (removedIds.length === 0) return;
      await this.denials.requireMayEndAt(tx, tx.tenantId, PermissionScopeKind.DeviceGroup, [id], 'Removing these devices');
      await this.log(tx, 'device-group-members-removed', id, { count: removedIds.length, deviceIds: removedIds }, undefined);
      touchDevices(tx.transaction, removedIds);
    });
  }

  /** Locks a device group, either to change it or to keep it from being deleted while its members change. */
  private async lock(tx: Tx, id: string, mode: 'pessimistic_write' | 'for_key_share'): Promise<DeviceGroup> {
    const group = await tx.manager.findOne(DeviceGroup, { where: { id, tenantId: tx.tenantId }, lock: { mode } });
    if (group === null) throw notFound(DEVICE_GROUP);
    return group;
  }

  private log(tx: Tx, action: string, targetId: string, before: object | undefined, after: object | undefined): Promise<void> {
    return this.changeLog.write(tx, { action, target: ChangeTarget.DeviceGroup, targetId, tenantId: tx.tenantId, before, after });
  }
}

function stateOf({ name, description }: DeviceGroupValues): DeviceGroupValues {
  return { name, description };
}
