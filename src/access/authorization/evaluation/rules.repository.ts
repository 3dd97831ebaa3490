import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

import { AccessDataSource } from '../../../platform/database/connection/reserved-data-source.js';
import type { PermissionEffect, PermissionPrincipalKind, PermissionScopeKind } from '../permissions/permission.js';
import { keyPendingSql, type SqlCondition } from './device-scope.js';
import { countingRules, RuleSet, type DeviceResource, type Rule } from './rules.js';

/** The enabled assignments of a principal and of the groups that it is a member of. */
export interface StoredRules {
  readonly rows: readonly Rule[];
  readonly groupIds: readonly string[];
}

interface RuleRow {
  readonly holder_kind: string;
  readonly holder_id: string;
  readonly id: string | null;
  readonly permission_name: string;
  readonly effect: PermissionEffect;
  readonly scope_kind: PermissionScopeKind;
  readonly scope_id: string | null;
  readonly owning_tenant_id: string | null;
}

const RULES = `
  WITH holders AS (
    SELECT $1::varchar AS kind, $2::uuid AS id
    UNION ALL
    SELECT 'UserGroup', user_group_id FROM user_group_members WHERE $1 = 'User' AND user_id = $2
  )
  SELECT h.kind AS holder_kind, h.id AS holder_id, a.id, a.permission_name, a.effect, a.scope_kind, a.scope_id, a.owning_tenant_id
  FROM holders h
  LEFT JOIN permission_assignments a ON a.principal_kind = h.kind AND a.principal_id = h.id AND a.is_enabled`;

const DEVICE = `
  SELECT d.id, d.tenant_id, d.customer_id, CASE WHEN ${keyPendingSql('d')} THEN NULL ELSE d.public_key END AS key_in_force,
         ARRAY(SELECT m.device_group_id FROM device_group_members m WHERE m.device_id = d.id) AS device_group_ids
  FROM devices d JOIN tenants t ON t.id = d.tenant_id WHERE d.id = $1 AND t.deleted_at IS NULL`;

interface DeviceContainersRow {
  readonly id: string;
  readonly tenant_id: string;
  readonly customer_id: string | null;
  readonly device_group_ids: string[];
  readonly key_in_force: string | null;
}

/** Reads the facts that decisions need: a principal's assignments with one query, and the objects that contain a resource. */
@Injectable()
export class RulesRepository {
  constructor(private readonly dataSource: AccessDataSource) {}

  /** The enabled assignments of a principal and, for a user, of its groups. Runs in the transaction of `manager`, if given. */
  async load(kind: PermissionPrincipalKind, id: string, manager: EntityManager = this.dataSource.manager): Promise<StoredRules> {
    const rows = await manager.query<RuleRow[]>(RULES, [kind, id]);
    const groupIds = new Set<string>();
    const rules: Rule[] = [];
    for (const row of rows) {
      const throughGroupId = row.holder_kind === 'UserGroup' && row.holder_id !== id ? row.holder_id : null;
      if (throughGroupId !== null) groupIds.add(throughGroupId);
      if (row.id === null) continue;
      rules.push({
        assignmentId: row.id,
        permissionName: row.permission_name,
        effect: row.effect,
        scopeKind: row.scope_kind,
        scopeId: row.scope_id,
        owningTenantId: row.owning_tenant_id,
        throughGroupId,
      });
    }
    return { rows: rules, groupIds: [...groupIds] };
  }

  /** The rules that count for a holder while it is bound to the tenant, read in the transaction without any cache. */
  async ruleSet(manager: EntityManager, kind: PermissionPrincipalKind, id: string, tenantId: string | null): Promise<RuleSet> {
    const { rows } = await this.load(kind, id, manager);
    return new RuleSet(countingRules({ tenantId }, rows));
  }

  /** A device with its customer and groups, or null. */
  async device(id: string, manager: EntityManager = this.dataSource.manager): Promise<DeviceResource | null> {
    const [row] = await manager.query<DeviceContainersRow[]>(DEVICE, [id]);
    if (row === undefined) return null;
    return {
      kind: 'Device',
      id: row.id,
      tenantId: row.tenant_id,
      customerId: row.customer_id,
      deviceGroupIds: row.device_group_ids,
      keyInForce: row.key_in_force,
    };
  }

  /** Checks whether there is a device that meets the condition, which is on the alias `d`. */
  async hasDevice({ sql, parameters }: SqlCondition, manager: EntityManager = this.dataSource.manager): Promise<boolean> {
    return (await manager.query<unknown[]>(`SELECT 1 FROM devices d WHERE ${sql} LIMIT 1`, [...parameters])).length > 0;
  }

  /** Checks whether a tenant with this id exists. */
  async tenantExists(id: string): Promise<boolean> {
    return (await this.dataSource.query<unknown[]>('SELECT 1 FROM tenants WHERE id = $1 AND deleted_at IS NULL', [id])).length > 0;
  }

  /** The tenant of a device group, user group or customer; null when it does not exist. */
  async tenantOf(kind: 'DeviceGroup' | 'UserGroup' | 'CustomerTenant', id: string): Promise<string | null> {
    const table = { DeviceGroup: 'device_groups', UserGroup: 'user_groups', CustomerTenant: 'customers' }[kind];
    const [row] = await this.dataSource.query<{ tenant_id: string }[]>(
      `SELECT o.tenant_id FROM ${table} o JOIN tenants t ON t.id = o.tenant_id WHERE o.id = $1 AND t.deleted_at IS NULL`,
      [id],
    );
    return row?.tenant_id ?? null;
  }
}
