import { Injectable } from '@nestjs/common';

import { mayNameTenant, type Principal } from '../../access/authentication/principals/principal.js';
import type { RequestContext } from '../../access/authentication/principals/request-context.js';
import { AuthorizationService } from '../../access/authorization/evaluation/authorization.service.js';
import type { Resource } from '../../access/authorization/evaluation/rules.js';
import { permissionCatalog, PermissionScopeKind, type PermissionDefinition } from '../../access/authorization/permissions/permission.js';
import type { DevicePermissionsDto } from './caller.dto.js';

const legalAt = (kind: PermissionScopeKind): readonly PermissionDefinition[] =>
  permissionCatalog.filter(({ scopeKinds }) => scopeKinds.includes(kind));

const ON_SERVER = legalAt(PermissionScopeKind.Server);
const ON_TENANT = legalAt(PermissionScopeKind.Tenant);
const ON_DEVICE = legalAt(PermissionScopeKind.Device);

/** The permissions that a caller holds, by which pages decide what to offer. */
@Injectable()
export class HeldPermissions {
  constructor(private readonly authorization: AuthorizationService) {}

  /** Names of the permissions on the server. */
  onServer(principal: Principal): Promise<string[]> {
    return this.heldOf(principal, ON_SERVER, { kind: 'Server' });
  }

  /** Names of the permissions on a tenant. */
  onTenant(principal: Principal, tenantId: string): Promise<string[]> {
    return this.heldOf(principal, ON_TENANT, { kind: 'Tenant', tenantId });
  }

  /** Names of the device permissions that the caller holds on any device at all. */
  async onAnyDevice(principal: Principal): Promise<string[]> {
    const held: string[] = [];
    for (const permission of ON_DEVICE) {
      if (await this.authorization.isAllowedSomewhere(principal, permission)) held.push(permission.name);
    }
    return held;
  }

  /** The device permissions that the caller holds on devices; those that it cannot name are left out. */
  async onDevices({ principal }: RequestContext, deviceIds: readonly string[]): Promise<DevicePermissionsDto[]> {
    const items: DevicePermissionsDto[] = [];
    for (const deviceId of new Set(deviceIds)) {
      const device = await this.authorization.device(deviceId);
      if (device === null || !mayNameTenant(principal, device.tenantId)) continue;
      items.push({ deviceId, permissions: await this.heldOf(principal, ON_DEVICE, device) });
    }
    return items;
  }

  private async heldOf(principal: Principal, permissions: readonly PermissionDefinition[], resource: Resource): Promise<string[]> {
    const held: string[] = [];
    for (const permission of permissions) {
      if (await this.authorization.isAllowed(principal, permission, resource)) held.push(permission.name);
    }
    return held;
  }
}
