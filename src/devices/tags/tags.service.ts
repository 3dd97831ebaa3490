import { Injectable } from '@nestjs/common';

import type { TenantContext } from '../../access/authentication/principals/request-context.js';
import { ChangeLog, ChangeTarget } from '../../access/authorization/change-log/change-log.js';
import { AuthorizationService } from '../../access/authorization/evaluation/authorization.service.js';
import type { SqlCondition } from '../../access/authorization/evaluation/device-scope.js';
import { Permission } from '../../access/authorization/permissions/permission.js';
import { notFound } from '../../platform/common/errors/errors.js';
import { newGuid } from '../../platform/common/identifiers/guid.js';
import { TaggedState, type ExpectedTags } from '../../platform/common/resources/entity-tag.js';
import { mapPages, type Pages, type WithPages } from '../../platform/common/resources/pages.js';
import { Clock } from '../../platform/common/runtime/clock.js';
import { UnitOfWork, type InTransaction } from '../../platform/database/queries/unit-of-work.js';
import { TenantsService } from '../../tenants/tenants/tenants.service.js';
import { DeviceEvents } from '../devices/device-events.js';
import { LockedDevices, MAXIMUM_NAMED_DEVICES } from '../devices/locked-devices.js';
import type { TagResponseDto } from './tag.dto.js';
import { Tag } from './tag.entity.js';
import { TagsRepository } from './tags.repository.js';

type Tx = InTransaction<TenantContext>;

/** A tag with those of its devices that the caller may read. */
type TagWithDevices = WithPages<TagResponseDto, 'deviceIds'>;

/** The editable state of a tag. Its devices have routes of their own. */
export const tagState = new TaggedState(({ name }: Pick<Tag, 'name'>) => ({ name }));

const TAG = 'The tag';
const UNIQUE_NAME = { uq_tags_tenant_id_name: 'A tag with this name already exists.' };

/** The tags of a tenant. Every caller in the tenant sees all tags, but only the devices that it may read. */
@Injectable()
export class TagsService {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly repository: TagsRepository,
    private readonly authorization: AuthorizationService,
    private readonly changeLog: ChangeLog,
    private readonly clock: Clock,
    private readonly tenants: TenantsService,
    private readonly devices: LockedDevices,
    private readonly events: DeviceEvents,
  ) {}

  /** The tags of the tenant by name regardless of case; `deviceIds` is empty. */
  list(context: TenantContext): Pages<TagResponseDto> {
    return mapPages(this.repository.list(context.manager, context.tenantId), (tag) => ({ ...tag, deviceIds: [] }));
  }

  /** The same tags, each with those of its devices that the caller may read. */
  async *listWithLinks(context: TenantContext): AsyncGenerator<readonly TagWithDevices[]> {
    const { manager, tenantId } = context;
    const readable = this.readableDevices(context);
    for await (const tags of this.repository.listWithLinks(manager, tenantId, readable)) {
      yield tags.map(({ id, name, type, firstDeviceIds }) => {
        return { id, name, type, deviceIds: this.repository.linksOf(manager, id, readable, firstDeviceIds) };
      });
    }
  }

  /** One tag with those of its devices that the caller may read; 404 when the tenant has none with this id. */
  async get(context: TenantContext, id: string): Promise<TagWithDevices> {
    const { manager, tenantId } = context;
    const tag = await this.repository.find(manager, tenantId, id);
    if (tag === null) throw notFound(TAG);
    const { name, type } = tag;
    return { id, name, type, deviceIds: this.repository.linksOf(manager, id, this.readableDevices(context)) };
  }

  /** Creates a tag without devices; 409 when the tenant has one with this name. */
  async create(context: TenantContext, { name, type }: Pick<Tag, 'name' | 'type'>): Promise<TagResponseDto> {
    const id = newGuid();
    return this.unitOfWork.run(
      context,
      async (tx) => {
        await this.tenants.hold(tx, tx.tenantId);
        await tx.manager.insert(Tag, { id, tenantId: tx.tenantId, name, type, createdAt: this.clock.now() });
        await this.log(tx, 'tag-created', id, undefined, { name, type });
        return { id, name, type, deviceIds: [] };
      },
      UNIQUE_NAME,
    );
  }

  /** Renames a tag; its type never changes. 412 when it is in no expected state. */
  async rename(context: TenantContext, id: string, name: string, expected?: ExpectedTags): Promise<TagWithDevices> {
    await this.unitOfWork.run(
      context,
      async (tx) => {
        const tag = await this.lock(tx, id, expected);
        await tx.manager.update(Tag, { id }, { name });
        await this.log(tx, 'tag-renamed', id, { name: tag.name, type: tag.type }, { name, type: tag.type });
      },
      UNIQUE_NAME,
    );
    return this.get(context, id);
  }

  /**
   * Deletes a tag and removes it from every device. If it has many devices, it is removed from most of them first, in
   * separate transactions: after a failure in between, the tag still exists with fewer devices. 412 when it is in no expected state.
   */
  async remove(context: TenantContext, id: string, expected?: ExpectedTags): Promise<void> {
    let hasMore = true;
    while (hasMore) hasMore = await this.releaseSome(context, id, expected);
    const untagged = await this.unitOfWork.run(context, async (tx) => {
      const { name, type } = await this.lock(tx, id, expected);
      const deviceCount = await this.repository.deviceCount(tx.manager, id);
      const deviceIds = await this.repository.deviceIds(tx.manager, id, MAXIMUM_NAMED_DEVICES);
      await tx.manager.delete(Tag, { id });
      await this.log(tx, 'tag-deleted', id, { name, type, deviceCount, deviceIds }, undefined);
      return deviceIds;
    });
    this.events.changed(context.tenantId, untagged);
  }

  /** If a tag has more devices than one transaction may change, removes it from that many. Returns true if it removed any. */
  private releaseSome(context: TenantContext, id: string, expected: ExpectedTags | undefined): Promise<boolean> {
    return this.unitOfWork.run(context, async (tx) => {
      const { name, type } = await this.lock(tx, id, expected);
      const carrying = await this.repository.deviceIds(tx.manager, id, MAXIMUM_NAMED_DEVICES + 1);
      if (carrying.length <= MAXIMUM_NAMED_DEVICES) return false;
      const held = await this.devices.hold(tx, carrying.slice(0, MAXIMUM_NAMED_DEVICES));
      const heldIds = held.map((device) => device.id);
      const deviceIds = await this.repository.unlinkAll(tx.manager, heldIds, id);
      await this.log(tx, 'tag-devices-removed', id, { name, type, count: deviceIds.length, deviceIds }, undefined);
      return deviceIds.length > 0;
    });
  }

  /** The condition that the caller may read a device, as it is when it is asked for: a slow reader of a list may take hours. */
  private readableDevices({ principal }: TenantContext): () => Promise<SqlCondition> {
    return () => this.authorization.deviceScope(principal, Permission.DeviceRead, 'd');
  }

  /** Locks a tag to change it. 404, then 412 when it is in no expected state. */
  private async lock(tx: Tx, id: string, expected: ExpectedTags | undefined): Promise<Tag> {
    const tag = await tx.manager.findOne(Tag, { where: { id, tenantId: tx.tenantId }, lock: { mode: 'pessimistic_write' } });
    if (tag === null) throw notFound(TAG);
    tagState.require(expected, tag);
    return tag;
  }

  private log(tx: Tx, action: string, targetId: string, before: object | undefined, after: object | undefined): Promise<void> {
    return this.changeLog.write(tx, { action, target: ChangeTarget.Tag, targetId, tenantId: tx.tenantId, before, after });
  }
}
