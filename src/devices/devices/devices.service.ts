import { Injectable } from '@nestjs/common';

import { tenantOf } from '../../access/authentication/principals/principal.js';
import type { RequestContext } from '../../access/authentication/principals/request-context.js';
import { ChangeLog, ChangeTarget } from '../../access/authorization/change-log/change-log.js';
import { Denials, wouldEnd } from '../../access/authorization/escalation/denials.js';
import { AuthorizationService } from '../../access/authorization/evaluation/authorization.service.js';
import type { SqlCondition } from '../../access/authorization/evaluation/device-scope.js';
import { Permission, PermissionScopeKind, type PermissionDefinition } from '../../access/authorization/permissions/permission.js';
import { AssignmentLifecycle } from '../../access/permission-assignments/assignment-lifecycle.js';
import { RightOfWay } from '../../platform/common/concurrency/right-of-way.js';
import { notFound } from '../../platform/common/errors/errors.js';
import { TaggedState, type ExpectedTags } from '../../platform/common/resources/entity-tag.js';
import { pagesOf } from '../../platform/common/resources/pages.js';
import { UnitOfWork, type InTransaction } from '../../platform/database/queries/unit-of-work.js';
import { Topic } from '../../platform/database/triggers/invalidation-topics.js';
import { AgentVersion } from '../agent-updates/agent-version.js';
import { DeviceEvents } from './device-events.js';
import type {
  DeleteManyDevicesResponseDto,
  DeviceResponseDto,
  DeviceSearchRequestDto,
  DeviceSearchResponseDto,
  DeviceSummaryDto,
} from './device.dto.js';
import { Device } from './device.entity.js';
import {
  DevicesRepository,
  SCOPE_FIRST_PARAMETER,
  type DeletableDevice,
  type DeviceSummaryRow,
  type ListKey,
  type Neighbours,
} from './devices.repository.js';
import type { DeviceRow } from './row/device-fields.js';
import { instantText, toDeviceJson } from './row/device-row.js';
import { searchConditions, searchOrder } from './search/device-search.js';
import { DeviceSearches } from './search/device-searches.js';

/** The outcome of a deletion. Devices that the caller may not delete at all are in neither list. */
interface Deletion {
  readonly deleted: readonly DeletableDevice[];
  /** Those that a Deny reaches which the caller may not end, with the permission that it lacks. */
  readonly undeletable: ReadonlyMap<string, PermissionDefinition>;
}

/**
 * The editable state of a device itself. Its tags, groups and customer have routes of their own, and the rest comes from its agent's
 * reports.
 */
export const deviceState = new TaggedState(({ alias }: Pick<Device, 'alias'>) => ({ alias }));

const DEVICE = 'The device';

/**
 * Devices per query of a list. The first page is small so that the first byte is sent early. The others are small so that
 * heartbeats between them do not wait for long; still smaller pages would take more memory.
 */
const PAGE_SIZES = { first: 100, next: 160 };

/** Most neighbours of a device that are looked up. */
const MAXIMUM_NEIGHBOURS = 500;

/** Devices as callers see them: lists, search, alias, deletion. */
@Injectable()
export class DevicesService {
  /** Waits for device updates between pages, for as long as the page took: while updates arrive all the time, a list keeps half its speed. */
  private readonly paging = { ...PAGE_SIZES, pause: (pageMs: number) => this.rightOfWay.give(pageMs) };

  constructor(
    private readonly repository: DevicesRepository,
    private readonly searches: DeviceSearches,
    private readonly authorization: AuthorizationService,
    private readonly denials: Denials,
    private readonly unitOfWork: UnitOfWork,
    private readonly changeLog: ChangeLog,
    private readonly assignments: AssignmentLifecycle,
    private readonly agentVersion: AgentVersion,
    private readonly events: DeviceEvents,
    private readonly rightOfWay: RightOfWay,
  ) {}

  /**
   * Every device that the caller may read, oldest first, page by page. No database connection is held between pages. Each page has the
   * devices that the caller may read when it is read, because a slow reader may take hours.
   */
  async *list(context: RequestContext): AsyncGenerator<readonly DeviceResponseDto[]> {
    const agentVersion = await this.agentVersion.current();
    const pages = pagesOf<DeviceRow & ListKey>(
      async (after, limit) => this.repository.page(context.manager, await this.scopeOf(context, Permission.DeviceRead), after, limit),
      this.paging,
    );
    for await (const rows of pages) yield rows.map((row) => toDeviceJson(row, agentVersion));
  }

  /** The same devices with id, time of the last report and agent version only. */
  async *summaries(context: RequestContext): AsyncGenerator<readonly DeviceSummaryDto[]> {
    const pages = pagesOf<DeviceSummaryRow & ListKey>(
      async (after, limit) =>
        this.repository.summaryPage(context.manager, await this.scopeOf(context, Permission.DeviceRead), after, limit),
      this.paging,
    );
    for await (const rows of pages) {
      yield rows.map((row) => ({ id: row.id, lastSeen: instantText(row.lastSeen), agentVersion: row.agentVersion }));
    }
  }

  /**
   * A page of the devices that the caller may read and that match. The counts cover all pages. 503 when the search takes too long. The
   * signal cancels it.
   */
  async search(context: RequestContext, request: DeviceSearchRequestDto, signal: AbortSignal): Promise<DeviceSearchResponseDto> {
    const order = searchOrder(request.sortDefinitions);
    const stretch = { offset: request.page * request.pageSize, limit: request.pageSize };
    const scope = await this.scopeOf(context, Permission.DeviceRead);
    const conditions = searchConditions(scope, request);
    const [agentVersion, { rows, counts }] = await Promise.all([
      this.agentVersion.current(),
      this.searches.run(context.principal, { scope, ...conditions, order, stretch }, signal),
    ]);
    return {
      items: rows.map((row) => toDeviceJson(row, agentVersion)),
      totalItems: counts.total,
      anyDevicesForUser: counts.total > 0 || (await this.repository.hasAny(context.manager, scope)),
      filterCounts: {
        onlineDevices: counts.online,
        offlineDevices: counts.total - counts.online,
        taggedDevices: counts.tagged,
        untaggedDevices: counts.total - counts.tagged,
      },
    };
  }

  /** One device of a tenant that the caller can reach; 404 when there is none. */
  async get(context: RequestContext, id: string): Promise<DeviceResponseDto> {
    const row = await this.repository.find(context.manager, id, tenantOf(context.principal));
    if (row === null) throw notFound(DEVICE);
    return toDeviceJson(row, await this.agentVersion.current());
  }

  /** Gives a device an alias, or removes it (null). An undefined alias changes nothing. 412 when it is in no expected state. */
  async setAlias(
    context: RequestContext,
    id: string,
    alias: string | null | undefined,
    expected?: ExpectedTags,
  ): Promise<DeviceResponseDto> {
    const tenantId = tenantOf(context.principal);
    const changed = await this.unitOfWork.run(context, async (tx) => {
      const device = await tx.manager.findOne(Device, {
        select: { id: true, tenantId: true, alias: true },
        where: { id, ...(tenantId === null ? {} : { tenantId }) },
        lock: { mode: 'pessimistic_write' },
      });
      if (device === null) throw notFound(DEVICE);
      deviceState.require(expected, device);
      const after = alias === undefined ? device.alias : (alias ?? '');
      if (device.alias === after) return null;
      await tx.manager.update(Device, { id }, { alias: after });
      await this.changeLog.write(tx, {
        action: 'device-alias-updated',
        target: ChangeTarget.Device,
        targetId: id,
        tenantId: device.tenantId,
        before: { alias: device.alias },
        after: { alias: after },
      });
      return { id, tenantId: device.tenantId };
    });
    if (changed !== null) this.events.emit('changed', changed);
    return this.get(context, id);
  }

  /**
   * Deletes a device and the assignments scoped to it; 403 when that would end a Deny that the caller may not end. The listeners of
   * `DeviceEvents` tell its agent. 412 when it is in no expected state.
   */
  async remove(context: RequestContext, id: string, expected?: ExpectedTags): Promise<void> {
    const { deleted, undeletable } = await this.delete(context, [id], expected);
    for (const missing of undeletable.values()) throw wouldEnd('Deleting this device', missing);
    if (deleted.length === 0) throw notFound(DEVICE);
  }

  /** Deletes those of the devices that the caller may delete, and reports which were deleted. */
  async removeMany(context: RequestContext, ids: readonly string[]): Promise<DeleteManyDevicesResponseDto> {
    const asked = [...new Set(ids)];
    const deleted = new Set((await this.delete(context, asked)).deleted.map(({ id }) => id));
    return { successIds: asked.filter((id) => deleted.has(id)), failureIds: asked.filter((id) => !deleted.has(id)) };
  }

  /** The online devices of the same tenant and customer behind the same public IPv4 address, at most 500, for work near the device. */
  neighbours({ manager }: Pick<RequestContext, 'manager'>, deviceId: string): Promise<Neighbours> {
    return this.repository.neighbours(manager, deviceId, MAXIMUM_NEIGHBOURS);
  }

  private async delete(context: RequestContext, ids: readonly string[], expected?: ExpectedTags): Promise<Deletion> {
    const deletion = await this.unitOfWork.run(context, async (tx) => {
      const waitedFor = await this.holdDeletable(tx, ids);
      // The right to one of them may have ended in between.
      const held = await this.holdDeletable(
        tx,
        waitedFor.map(({ id }) => id),
      );
      const undeletable = await this.denials.undeletableDevices(tx, held);
      const devices = held.filter(({ id }) => !undeletable.has(id));
      for (const device of devices) deviceState.require(expected, device);
      if (devices.length === 0) return { deleted: devices, undeletable };
      const scopeKind = PermissionScopeKind.Device;
      await this.assignments.logRemoved(tx, { scopes: devices.map(({ id }) => ({ scopeKind, scopeId: id })) });
      await this.repository.delete(
        tx.manager,
        devices.map(({ id }) => id),
      );
      await this.logDeletions(tx, devices);
      for (const { id } of devices) tx.transaction.touch(Topic.Device, id);
      return { deleted: devices, undeletable };
    });
    for (const { id, tenantId, connectionId, nodeId } of deletion.deleted)
      this.events.emit('deleted', { id, tenantId, connectionId, nodeId });
    return deletion;
  }

  /** Locks those of the devices that the caller may delete now. */
  private async holdDeletable(tx: InTransaction<RequestContext>, ids: readonly string[]): Promise<DeletableDevice[]> {
    const rights = this.authorization.storedRights(tx.manager);
    const scope = await rights.deviceScope(tx.principal, Permission.DeviceDelete, 'd', SCOPE_FIRST_PARAMETER);
    return this.repository.holdDeletable(tx.manager, scope, ids);
  }

  private logDeletions(tx: InTransaction<RequestContext>, devices: readonly DeletableDevice[]): Promise<void> {
    return this.changeLog.write(
      tx,
      ...devices.map(({ id, tenantId, name, alias }) => ({
        action: 'device-deleted',
        target: ChangeTarget.Device,
        targetId: id,
        tenantId,
        before: { name, alias },
      })),
    );
  }

  private scopeOf(context: RequestContext, permission: PermissionDefinition): Promise<SqlCondition> {
    return this.authorization.deviceScope(context.principal, permission, 'd', SCOPE_FIRST_PARAMETER);
  }
}
