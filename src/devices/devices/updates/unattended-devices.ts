import { Injectable } from '@nestjs/common';

import type { DeviceUpdateRequestDto } from '#libs/contracts';

import type { RequestContext } from '../../../access/authentication/principals/request-context.js';
import { ChangeLog, ChangeTarget } from '../../../access/authorization/change-log/change-log.js';
import { PermissionScopeKind } from '../../../access/authorization/permissions/permission.js';
import { AssignmentLifecycle } from '../../../access/permission-assignments/assignment-lifecycle.js';
import { EMPTY_GUID } from '../../../platform/common/identifiers/guid.js';
import { Settings } from '../../../platform/config/settings.js';
import { UnitOfWork } from '../../../platform/database/queries/unit-of-work.js';
import { Topic } from '../../../platform/database/triggers/invalidation-topics.js';
import { TenantsService } from '../../../tenants/tenants/tenants.service.js';
import { DeletedDeviceRow } from '../deleted-device.entity.js';
import { Device } from '../device.entity.js';
import { detailsOf } from '../row/device-details.js';
import type { KnownDevice } from './known-device.js';
import { UpdateRefusal } from './update-acceptance.js';
import { refused, type ReceivedUpdate, type Refused } from './update-decision.js';

/** Undoes the registration of a device that was deleted. */
class DeletedBefore extends Error {
  override readonly name = 'DeletedBefore';
}

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
  refusalOfUnknown({ report, envelope }: ReceivedUpdate): Refused | null {
    const { allowAgentsToSelfBootstrap, requireDeviceKeys } = this.settings.appOptions;
    // The all-zero id counts as missing, as it does when a device is registered with a key.
    if (!allowAgentsToSelfBootstrap || report.id === EMPTY_GUID) return refused(UpdateRefusal.UnknownDevice);
    return requireDeviceKeys && envelope === null ? refused(UpdateRefusal.SignatureRequired) : null;
  }

  /**
   * The refusal of a device without a stored key where devices have to have one. It cannot bring a key itself: anyone who knows its id
   * could send one first.
   */
  refusalOfKeyless({ envelope }: ReceivedUpdate, { publicKey }: KnownDevice): Refused | null {
    if (publicKey !== '' || !this.settings.appOptions.requireDeviceKeys) return null;
    return refused(envelope === null ? UpdateRefusal.SignatureRequired : UpdateRefusal.KeyNotRegistered);
  }

  /**
   * Adds a device that registers itself to the only tenant, even if it names another. Null when it is there now. One that was deleted
   * stays unknown until it is registered with an installer key.
   */
  async add(context: RequestContext, report: DeviceUpdateRequestDto, publicKey: string): Promise<Refused | null> {
    const tenant = await this.tenants.soleTenant(context);
    if (tenant === 'none') return refused(UpdateRefusal.NoTenant);
    if (tenant === 'several') return refused(UpdateRefusal.SeveralTenants);
    try {
      await this.insert(context, { id: report.id, tenantId: tenant.id, name: detailsOf(report).name ?? '', publicKey });
      return null;
    } catch (error) {
      if (error instanceof DeletedBefore) return refused(UpdateRefusal.UnknownDevice);
      throw error;
    }
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
    device: { readonly id: string; readonly tenantId: string; readonly name: string; readonly publicKey: string },
  ): Promise<void> {
    await this.unitOfWork.run(context, async (tx) => {
      const { raw } = await tx.manager.createQueryBuilder().insert().into(Device).values(device).orIgnore().returning('id').execute();
      if ((raw as unknown[]).length === 0) return;
      // Looked up after the insert: it waits for a deletion that is under way.
      if (await tx.manager.existsBy(DeletedDeviceRow, { id: device.id })) throw new DeletedBefore();
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
