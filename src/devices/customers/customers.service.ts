import { Injectable } from '@nestjs/common';

import type { TenantContext } from '../../access/authentication/principals/request-context.js';
import { ChangeLog, ChangeTarget } from '../../access/authorization/change-log/change-log.js';
import { Denials } from '../../access/authorization/escalation/denials.js';
import { Escalation } from '../../access/authorization/escalation/escalation.js';
import { requireIncoming } from '../../access/authorization/escalation/move-rights.js';
import { PermissionScopeKind } from '../../access/authorization/permissions/permission.js';
import { AssignmentLifecycle } from '../../access/permission-assignments/assignment-lifecycle.js';
import { invalidField, notFound } from '../../platform/common/errors/errors.js';
import { newGuid } from '../../platform/common/identifiers/guid.js';
import { withChanges, type Changes } from '../../platform/common/resources/changes.js';
import { TaggedState, type ExpectedTags } from '../../platform/common/resources/entity-tag.js';
import type { Pages } from '../../platform/common/resources/pages.js';
import { Clock } from '../../platform/common/runtime/clock.js';
import { UnitOfWork, type InTransaction } from '../../platform/database/queries/unit-of-work.js';
import { TenantsService } from '../../tenants/tenants/tenants.service.js';
import { DeviceEvents } from '../devices/device-events.js';
import { LockedDevices, MAXIMUM_NAMED_DEVICES, requireEach, touchDevices } from '../devices/locked-devices.js';
import type { AssignCustomerDevicesRequestDto, CustomerDto } from './customer.dto.js';
import { Customer } from './customer.entity.js';
import { CustomersRepository } from './customers.repository.js';

/** The members of a customer that a caller may set. */
export type CustomerValues = Pick<Customer, 'name' | 'description' | 'notes'>;

/** The editable state of a customer. Its devices have a route of their own. */
export const customerState = new TaggedState(stateOf);

type Tx = InTransaction<TenantContext>;

const CUSTOMER = 'The customer';
const UNIQUE_NAME = { uq_customers_tenant_id_name: 'A customer with this name already exists.' };

/** The customers of a tenant and their devices. A device has at most one customer. */
@Injectable()
export class CustomersService {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly repository: CustomersRepository,
    private readonly denials: Denials,
    private readonly escalation: Escalation,
    private readonly changeLog: ChangeLog,
    private readonly clock: Clock,
    private readonly tenants: TenantsService,
    private readonly devices: LockedDevices,
    private readonly assignments: AssignmentLifecycle,
    private readonly events: DeviceEvents,
  ) {}

  /** The customers of the tenant, by name. */
  list(context: TenantContext): Pages<CustomerDto> {
    return this.repository.list(context.manager, context.tenantId);
  }

  /** One customer; 404 when the tenant has none with this id. */
  async get(context: TenantContext, id: string): Promise<CustomerDto> {
    const customer = await this.repository.find(context.manager, context.tenantId, id);
    if (customer === null) throw notFound(CUSTOMER);
    return customer;
  }

  /** Creates a customer without devices; 409 when the tenant has one with this name. */
  async create(context: TenantContext, values: CustomerValues): Promise<CustomerDto> {
    const { name, description, notes } = values;
    const id = newGuid();
    return this.unitOfWork.run(
      context,
      async (tx) => {
        await this.tenants.hold(tx, tx.tenantId);
        const createdAt = this.clock.now();
        await tx.manager.insert(Customer, { id, tenantId: tx.tenantId, name, description, notes, createdAt });
        await this.log(tx, 'customer-created', id, undefined, stateOf(values));
        return { id, name, description, notes, createdAt, deviceCount: 0 };
      },
      UNIQUE_NAME,
    );
  }

  /** Changes the name, description or notes of a customer. Its devices show the new name. 412 when it is in no expected state. */
  async update(context: TenantContext, id: string, changes: Changes<CustomerValues>, expected?: ExpectedTags): Promise<CustomerDto> {
    const isRenamed = await this.unitOfWork.run(
      context,
      async (tx) => {
        const before = stateOf(await this.lock(tx, id, 'pessimistic_write'));
        customerState.require(expected, before);
        const after = withChanges(before, changes);
        await tx.manager.update(Customer, { id }, after);
        await this.log(tx, 'customer-updated', id, before, after);
        return before.name !== after.name;
      },
      UNIQUE_NAME,
    );
    if (isRenamed) {
      this.events.changed(context.tenantId, await this.repository.deviceIds(context.manager, id, MAXIMUM_NAMED_DEVICES));
    }
    return this.get(context, id);
  }

  /**
   * Deletes a customer and the assignments scoped to it. Its devices stay, without a customer. If there are many, most
   * are removed first, in separate transactions: after a failure in between, the customer still exists with fewer
   * devices. 412 when it is in no expected state.
   */
  async remove(context: TenantContext, id: string, expected?: ExpectedTags): Promise<void> {
    let hasMore = true;
    while (hasMore) hasMore = await this.releaseSome(context, id, expected);
    const released = await this.unitOfWork.run(context, async (tx) => {
      const customer = await this.lockRemovable(tx, id, expected);
      const scopeKind = PermissionScopeKind.CustomerTenant;
      await this.assignments.logRemoved(tx, { scopes: [{ scopeKind, scopeId: id }] });
      const deviceCount = await this.repository.deviceCount(tx.manager, id);
      const deviceIds = await this.repository.deviceIds(tx.manager, id, MAXIMUM_NAMED_DEVICES);
      await tx.manager.delete(Customer, { id });
      await this.log(tx, 'customer-deleted', id, { ...stateOf(customer), deviceCount, deviceIds }, undefined);
      touchDevices(tx.transaction, deviceIds, deviceCount);
      return deviceIds;
    });
    this.events.changed(context.tenantId, released);
  }

  /**
   * Adds devices to a customer, each taken from its former customer, and removes others from it. 400, without any
   * change, when an added device does not belong to the tenant. Devices that are already where they should be stay
   * untouched.
   */
  async assignDevices(context: TenantContext, id: string, request: AssignCustomerDevicesRequestDto): Promise<void> {
    const { deviceIds, removeDeviceIds } = request;
    const coming = new Set(deviceIds);
    if (removeDeviceIds.some((deviceId) => coming.has(deviceId))) {
      throw invalidField('removeDeviceIds', 'removeDeviceIds must not contain a device that deviceIds contains.');
    }
    const moved = await this.unitOfWork.run(context, async (tx) => {
      await this.lock(tx, id, 'for_key_share');
      const held = await this.devices.hold(tx, [...deviceIds, ...removeDeviceIds], () => this.escalation.readableDevices(tx));
      const added = requireEach(held, deviceIds, 'deviceIds').filter(({ customerId }) => customerId !== id);
      const removed = held.filter((device) => device.customerId === id && !coming.has(device.id));
      requireIncoming(added);
      const left = [...added, ...removed].flatMap(({ customerId }) => customerId ?? []);
      await this.denials.requireMayEndAt(tx, tx.tenantId, PermissionScopeKind.CustomerTenant, left, 'Removing these devices');
      const addedIds = added.map((device) => device.id);
      const removedIds = removed.map((device) => device.id);
      const changed = [...addedIds, ...removedIds];
      if (changed.length === 0) return changed;
      await this.repository.setCustomer(tx.manager, addedIds, id);
      await this.repository.setCustomer(tx.manager, removedIds, null);
      const former = added.flatMap((device) =>
        device.customerId === null ? [] : [{ deviceId: device.id, customerId: device.customerId }],
      );
      const after = { count: changed.length, addedDeviceIds: addedIds, removedDeviceIds: removedIds };
      await this.log(tx, 'customer-devices-assigned', id, { formerCustomers: former }, after);
      touchDevices(tx.transaction, changed);
      return changed;
    });
    this.events.changed(context.tenantId, moved);
  }

  /** Takes as many devices from a customer as one transaction may, if it has more than that; returns true if it took any. */
  private releaseSome(context: TenantContext, id: string, expected: ExpectedTags | undefined): Promise<boolean> {
    return this.unitOfWork.run(context, async (tx) => {
      await this.lockRemovable(tx, id, expected);
      const deviceIds = await this.repository.deviceIds(tx.manager, id, MAXIMUM_NAMED_DEVICES + 1);
      if (deviceIds.length <= MAXIMUM_NAMED_DEVICES) return false;
      const held = await this.devices.hold(tx, deviceIds.slice(0, MAXIMUM_NAMED_DEVICES));
      const removedIds = held.filter(({ customerId }) => customerId === id).map((device) => device.id);
      await this.repository.setCustomer(tx.manager, removedIds, null);
      const after = { count: removedIds.length, addedDeviceIds: [], removedDeviceIds: removedIds };
      await this.log(tx, 'customer-devices-assigned', id, { formerCustomers: [] }, after);
      touchDevices(tx.transaction, removedIds);
      return removedIds.length > 0;
    });
  }

  /** Locks a customer that the caller may delete. 404 or 403, then 412 when it is in no expected state. */
  private async lockRemovable(tx: Tx, id: string, expected: ExpectedTags | undefined): Promise<Customer> {
    const customer = await this.lock(tx, id, 'pessimistic_write');
    await this.denials.requireMayEndAt(tx, tx.tenantId, PermissionScopeKind.CustomerTenant, [id], 'Deleting this customer');
    customerState.require(expected, customer);
    return customer;
  }

  /** Locks a customer, either to change it or to keep it from being deleted while devices are added. */
  private async lock(tx: Tx, id: string, mode: 'pessimistic_write' | 'for_key_share'): Promise<Customer> {
    const customer = await tx.manager.findOne(Customer, { where: { id, tenantId: tx.tenantId }, lock: { mode } });
    if (customer === null) throw notFound(CUSTOMER);
    return customer;
  }

  private log(tx: Tx, action: string, targetId: string, before: object | undefined, after: object | undefined): Promise<void> {
    return this.changeLog.write(tx, { action, target: ChangeTarget.Customer, targetId, tenantId: tx.tenantId, before, after });
  }
}

function stateOf({ name, description, notes }: CustomerValues): CustomerValues {
  return { name, description, notes };
}
