import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

import type { PermissionPrincipalKind, PermissionScopeKind } from '../permissions/permission.js';

/** An enabled Deny, as far as the right to end it depends on it. */
export interface Denial {
  readonly permissionName: string;
  /** True if it denies something to a service account of the server. */
  readonly isOfServerAccount: boolean;
}

/** A Deny that reaches a device. */
export interface DeviceDenial extends Denial {
  readonly deviceId: string;
}

const TERMS = `
  a.permission_name AS "permissionName",
  a.principal_kind = 'ServiceAccount'
    AND EXISTS (SELECT 1 FROM service_accounts s WHERE s.id = a.principal_id AND s.tenant_id IS NULL) AS "isOfServerAccount"`;
const IS_DENIAL = `a.effect = 'Deny' AND a.is_enabled`;

const AT_SCOPES = `SELECT ${TERMS} FROM permission_assignments a WHERE a.scope_kind = $1 AND a.scope_id = ANY($2::uuid[]) AND ${IS_DENIAL}`;

const OF_HOLDER = `SELECT ${TERMS} FROM permission_assignments a WHERE a.principal_kind = $1 AND a.principal_id = $2 AND ${IS_DENIAL}`;

/** Logon tokens reach one device and end with it. */
const OUTLIVES_DEVICE = `${IS_DENIAL} AND a.principal_kind <> 'LogonToken'`;

/** Denials at the devices $1 themselves, at their customers and at their device groups. */
const REACHING_DEVICES = `
  SELECT d.id AS "deviceId", ${TERMS}
  FROM (
    SELECT id, 'Device' AS kind, id AS scope_id FROM devices WHERE id = ANY($1::uuid[])
    UNION ALL
    SELECT id, 'CustomerTenant', customer_id FROM devices WHERE id = ANY($1::uuid[]) AND customer_id IS NOT NULL
    UNION ALL
    SELECT device_id, 'DeviceGroup', device_group_id FROM device_group_members WHERE device_id = ANY($1::uuid[])
  ) d JOIN permission_assignments a ON a.scope_kind = d.kind AND a.scope_id = d.scope_id
  WHERE ${OUTLIVES_DEVICE}`;

/** Finds the denials that a change would end without deleting their assignments one by one. */
@Injectable()
export class DenialsRepository {
  /** All denials at the scopes of a kind. */
  at(manager: EntityManager, scopeKind: PermissionScopeKind, scopeIds: readonly string[]): Promise<Denial[]> {
    return manager.query<Denial[]>(AT_SCOPES, [scopeKind, scopeIds]);
  }

  /** The denials that a holder brings to those who act through it. */
  of(manager: EntityManager, principalKind: PermissionPrincipalKind, principalId: string): Promise<Denial[]> {
    return manager.query<Denial[]>(OF_HOLDER, [principalKind, principalId]);
  }

  /** All denials that reach the devices, at these or at the objects that contain them within the tenant. */
  reaching(manager: EntityManager, deviceIds: readonly string[]): Promise<DeviceDenial[]> {
    return manager.query<DeviceDenial[]>(REACHING_DEVICES, [deviceIds]);
  }
}
