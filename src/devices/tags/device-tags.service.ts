import { Injectable } from '@nestjs/common';

import type { TenantContext } from '../../access/authentication/principals/request-context.js';
import { ChangeLog, ChangeTarget } from '../../access/authorization/change-log/change-log.js';
import { notFound } from '../../platform/common/errors/errors.js';
import { UnitOfWork, type InTransaction } from '../../platform/database/queries/unit-of-work.js';
import { DeviceEvents } from '../devices/device-events.js';
import { LockedDevices } from '../devices/locked-devices.js';
import { Tag } from './tag.entity.js';
import { TagsRepository } from './tags.repository.js';

type Tx = InTransaction<TenantContext>;

/** Adds tags to devices and removes them. */
@Injectable()
export class DeviceTagsService {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly repository: TagsRepository,
    private readonly devices: LockedDevices,
    private readonly changeLog: ChangeLog,
    private readonly events: DeviceEvents,
  ) {}

  /** Adds a tag of the device's tenant to a device. Repeating it changes nothing. */
  add(context: TenantContext, deviceId: string, tagId: string): Promise<void> {
    return this.change(context, deviceId, tagId, async (tx, name) => {
      if (!(await this.repository.link(tx.manager, deviceId, tagId))) return false;
      await this.log(tx, 'device-tag-added', deviceId, undefined, { tagId, name });
      return true;
    });
  }

  /** Removes a tag from a device. Repeating it changes nothing. */
  remove(context: TenantContext, deviceId: string, tagId: string): Promise<void> {
    return this.change(context, deviceId, tagId, async (tx, name) => {
      if (!(await this.repository.unlink(tx.manager, deviceId, tagId))) return false;
      await this.log(tx, 'device-tag-removed', deviceId, { tagId, name }, undefined);
      return true;
    });
  }

  /** Locks a device and a tag of the tenant (404) and runs a change on them, which returns whether it changed anything. */
  private async change(
    context: TenantContext,
    deviceId: string,
    tagId: string,
    work: (tx: Tx, tagName: string) => Promise<boolean>,
  ): Promise<void> {
    const isChanged = await this.unitOfWork.run(context, async (tx) => {
      const tag = await tx.manager.findOne(Tag, { where: { id: tagId, tenantId: tx.tenantId }, lock: { mode: 'for_key_share' } });
      if (tag === null) throw notFound('The tag');
      const held = await this.devices.hold(tx, [deviceId]);
      if (held.length === 0) throw notFound('The device');
      return work(tx, tag.name);
    });
    if (isChanged) this.events.changed(context.tenantId, [deviceId]);
  }

  private log(tx: Tx, action: string, targetId: string, before: object | undefined, after: object | undefined): Promise<void> {
    return this.changeLog.write(tx, { action, target: ChangeTarget.Device, targetId, tenantId: tx.tenantId, before, after });
  }
}
