import { Injectable } from '@nestjs/common';

import type { RequestContext } from '../../authentication/request-context.js';
import { DEVICE_TOPIC } from '../../authorization/authorization.service.js';
import { ChangeLog, ChangeTarget } from '../../authorization/change-log.js';
import { PermissionScopeKind } from '../../authorization/permission.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { AssignmentLifecycle } from '../../permission-assignments/assignment-lifecycle.js';
import { Device } from '../device.entity.js';

/** Devices that come and go through the agent hub alone, by the operator's configuration. */
@Injectable()
export class UnattendedChanges {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly assignments: AssignmentLifecycle,
    private readonly changeLog: ChangeLog,
  ) {}

  /** Adds a device that registers itself on a server of one tenant; one that was added meanwhile stays as it is. */
  async addSelfBootstrapped(
    context: RequestContext,
    device: { readonly id: string; readonly tenantId: string; readonly name: string },
  ): Promise<void> {
    await this.unitOfWork.run(context, async (tx) => {
      const { raw } = await tx.manager.createQueryBuilder().insert().into(Device).values(device).orIgnore().returning('id').execute();
      if ((raw as unknown[]).length === 0) return;
      tx.transaction.touch(DEVICE_TOPIC, device.id);
      await this.changeLog.write(tx, {
        action: 'device-registered',
        target: ChangeTarget.Device,
        targetId: device.id,
        tenantId: device.tenantId,
        after: { name: device.name, selfBootstrapped: true },
      });
    });
  }

  /** Deletes the device of an agent that a decommissioned server told to uninstall itself. */
  async removeDecommissioned(context: RequestContext, deviceId: string): Promise<void> {
    await this.unitOfWork.run(context, async (tx) => {
      const device = await tx.manager.findOne(Device, { where: { id: deviceId }, lock: { mode: 'pessimistic_write' } });
      if (device === null) return;
      await this.assignments.logRemoved(tx, { scopes: [{ scopeKind: PermissionScopeKind.Device, scopeId: deviceId }] });
      await tx.manager.delete(Device, { id: deviceId });
      tx.transaction.touch(DEVICE_TOPIC, deviceId);
      await this.changeLog.write(tx, {
        action: 'device-deleted',
        target: ChangeTarget.Device,
        targetId: deviceId,
        tenantId: device.tenantId,
        before: { name: device.name, decommissioned: true },
      });
    });
  }
}
