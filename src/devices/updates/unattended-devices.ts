import { Injectable } from '@nestjs/common';

import type { DeviceUpdateRequestDto } from '#libs/contracts';

import type { RequestContext } from '../../authentication/request-context.js';
import { ChangeLog, ChangeTarget } from '../../authorization/change-log.js';
import { PermissionScopeKind } from '../../authorization/permission.js';
import { EMPTY_GUID } from '../../common/guid.js';
import { Settings } from '../../config/settings.js';
import { Topic } from '../../database/invalidation-topics.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { AssignmentLifecycle } from '../../permission-assignments/assignment-lifecycle.js';
import { TenantsService } from '../../tenants/tenants.service.js';
import { detailsOf } from '../device-details.js';
import { Device } from '../device.entity.js';
import { UpdateRefusal } from './update-acceptance.js';
import { refused, type Refused } from './update-decision.js';

/** Devices that the operator's configuration adds and deletes through the agent hub, without a person or an installer key. */
@Injectable()
export class UnattendedDevices {
  constructor(
    private readonly settings: Settings,
    private readonly tenants: TenantsService,
    private readonly unitOfWork: UnitOfWork,
    private readonly assignments: AssignmentLifecycle,
    private readonly changeLog: ChangeLog,
  ) {}

  /** The refusal of a device that the server does not know, unless agents may register themselves. */
  refusalOfUnknown(deviceId: string): Refused | null {
    // The all-zero id counts as missing, as it does when a device is registered with a key.
    const isAllowed = this.settings.appOptions.allowAgentsToSelfBootstrap && deviceId !== EMPTY_GUID;
    return isAllowed ? null : refused(UpdateRefusal.UnknownDevice);
  }

  /** Adds a device that registers itself to the only tenant, whatever tenant it names. Null when it is there now. */
  async add(context: RequestContext, report: DeviceUpdateRequestDto): Promise<Refused | null> {
    const tenant = await this.tenants.soleTenant(context);
    if (tenant === 'none') return refused(UpdateRefusal.NoTenant);
    if (tenant === 'several') return refused(UpdateRefusal.SeveralTenants);
    await this.insert(context, { id: report.id, tenantId: tenant.id, name: detailsOf(report).name ?? '' });
    return null;
  }

  /** Deletes the device of an agent that a decommissioned server tells to uninstall itself. */
  async removeDecommissioned(context: RequestContext, deviceId: string): Promise<void> {
    await this.unitOfWork.run(context, async (tx) => {
      const device = await tx.manager.findOne(Device, { where: { id: deviceId }, lock: { mode: 'pessimistic_write' } });
      if (device === null) return;
      await this.assignments.logRemoved(tx, { scopes: [{ scopeKind: PermissionScopeKind.Device, scopeId: deviceId }] });
      await tx.manager.delete(Device, { id: deviceId });
      tx.transaction.touch(Topic.Device, deviceId);
      await this.changeLog.write(tx, {
        action: 'device-deleted',
        target: ChangeTarget.Device,
        targetId: deviceId,
        tenantId: device.tenantId,
        before: { name: device.name, decommissioned: true },
      });
    });
  }

  /** A device that another connection adds at the same time stays as it is. */
  private async insert(
    context: RequestContext,
    device: { readonly id: string; readonly tenantId: string; readonly name: string },
  ): Promise<void> {
    await this.unitOfWork.run(context, async (tx) => {
      const { raw } = await tx.manager.createQueryBuilder().insert().into(Device).values(device).orIgnore().returning('id').execute();
      if ((raw as unknown[]).length === 0) return;
      tx.transaction.touch(Topic.Device, device.id);
      await this.changeLog.write(tx, {
        action: 'device-registered',
        target: ChangeTarget.Device,
        targetId: device.id,
        tenantId: device.tenantId,
        after: { name: device.name, selfBootstrapped: true },
      });
    });
  }
}
