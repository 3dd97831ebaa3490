import { Injectable } from '@nestjs/common';

import { AuthenticationService } from '../../access/authentication/authentication.service.js';
import type { Principal } from '../../access/authentication/principals/principal.js';
import { AuthorizationService } from '../../access/authorization/evaluation/authorization.service.js';
import type { RuleSet } from '../../access/authorization/evaluation/rules.js';
import { NamedTenants } from '../../access/authorization/guard/named-tenants.js';
import { Permission } from '../../access/authorization/permissions/permission.js';
import { forbidden, unauthorized } from '../../platform/common/errors/errors.js';
import type { EventRow } from './events.repository.js';

/** Decides which events a reader may see, each time it is asked: rights may end while a connection lasts. */
@Injectable()
export class EventRights {
  constructor(
    private readonly authentication: AuthenticationService,
    private readonly authorization: AuthorizationService,
    private readonly tenants: NamedTenants,
  ) {}

  /** 401, 403 or 404 when the principal may no longer read events of the tenant. */
  async require(principal: Principal, tenantId: string): Promise<void> {
    if (!(await this.authentication.isStillValid(principal))) throw unauthorized('The credential has ended.');
    await this.tenants.require(tenantId);
    const isAllowed = await this.authorization.isAllowed(principal, Permission.TenantEventsRead, { kind: 'Tenant', tenantId });
    if (!isAllowed) throw forbidden(`The permission ${Permission.TenantEventsRead.name} is required.`);
  }

  /** The events of the tenant that the principal may see: of devices, those that it may read. */
  async visible(principal: Principal, tenantId: string, rows: readonly EventRow[]): Promise<EventRow[]> {
    const answers = new Map<string, boolean>();
    const seen: EventRow[] = [];
    for (const row of rows) {
      if (row.deviceId !== null) {
        const mayRead = answers.get(row.deviceId) ?? (await this.mayReadDevice(principal, tenantId, row.deviceId));
        answers.set(row.deviceId, mayRead);
        if (!mayRead) continue;
      }
      seen.push(row);
    }
    return seen;
  }

  private async mayReadDevice(principal: Principal, tenantId: string, id: string): Promise<boolean> {
    const device = await this.authorization.device(id);
    if (device !== null) {
      return device.tenantId === tenantId && this.authorization.isAllowed(principal, Permission.DeviceRead, device);
    }
    // Groups and customer of a deleted device are not known any more: a denial on one of them may have concerned it.
    const { owner, token, maker } = await this.authorization.rulesOf(principal);
    if ([owner, ...(token === null ? [] : [token]), ...maker].some(deniesSomewhere)) return false;
    const deleted = { kind: 'Device', id, tenantId, customerId: null, deviceGroupIds: [] } as const;
    return this.authorization.isAllowed(principal, Permission.DeviceRead, deleted);
  }
}

function deniesSomewhere(rules: RuleSet): boolean {
  const { customerIds, deviceGroupIds } = rules.excluded(Permission.DeviceRead);
  return customerIds.length + deviceGroupIds.length > 0;
}
