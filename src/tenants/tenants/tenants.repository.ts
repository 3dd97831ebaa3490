import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

import { pagesOf, type Pages } from '../../platform/common/resources/pages.js';
import { readRows } from '../../platform/database/queries/read-rows.js';
import type { TenantRemovalDto, TenantSummaryDto } from './tenant.dto.js';

const LIST = `
  SELECT t.id, COALESCE(t.name, '') AS name FROM tenants t
  WHERE t.deleted_at IS NULL AND ($1::uuid IS NULL OR (COALESCE(t.name, ''), t.id) > ($2, $1))
  ORDER BY COALESCE(t.name, ''), t.id LIMIT $3`;

/** Counts the devices of the tenant $1. An index that begins with the tenant holds all that this reads. */
const DEVICE_COUNT = 'SELECT count(*)::int AS count FROM devices WHERE tenant_id = $1';

/** The tenants that are being removed, those first whose deletion began first. */
const REMOVALS = `
  SELECT t.id AS "tenantId", COALESCE(t.name, '') AS "tenantName", t.deleted_at AS "deletedAt",
    (SELECT count(*)::int FROM devices d WHERE d.tenant_id = t.id) AS "remainingDeviceCount"
  FROM tenants t
  WHERE t.deleted_at IS NOT NULL AND ($1::uuid IS NULL OR (t.deleted_at, t.id) > ($2::timestamptz, $1))
  ORDER BY t.deleted_at, t.id LIMIT $3`;

const REMOVE_ROW = "DELETE FROM tenants WHERE id = $1 AND deleted_at IS NOT NULL RETURNING id, COALESCE(name, '') AS name";

/** A table that holds rows of tenants, with the column that names the tenant. Both are names of the schema, never input. */
export interface TableOfTenant {
  readonly table: string;
  readonly column: string;
}

/** Lists tenants, counts their contents, and removes the rows of deleted ones. */
@Injectable()
export class TenantsRepository {
  /** All tenants by name. */
  list(manager: EntityManager): Pages<TenantSummaryDto> {
    return pagesOf<TenantSummaryDto>((after, limit) => readRows(manager, LIST, [after?.id, after?.name, limit]));
  }

  /** Returns the number of devices of a tenant. */
  async deviceCount(manager: EntityManager, tenantId: string): Promise<number> {
    const [{ count }] = await readRows<{ readonly count: number }>(manager, DEVICE_COUNT, [tenantId]);
    return count;
  }

  /** The tenants whose deletion has begun and of which rows are left. */
  removals(manager: EntityManager): Pages<TenantRemovalDto> {
    return pagesOf<TenantRemovalDto>((after, limit) => readRows(manager, REMOVALS, [after?.tenantId, after?.deletedAt, limit]));
  }

  /** The ids of these tenants. */
  async idsInRemoval(manager: EntityManager): Promise<readonly string[]> {
    const rows = await readRows<{ readonly id: string }>(manager, 'SELECT id FROM tenants WHERE deleted_at IS NOT NULL ORDER BY id', []);
    return rows.map(({ id }) => id);
  }

  /** Removes at most `limit` rows of a tenant from a table, and returns their number. */
  async removeRows(manager: EntityManager, { table, column }: TableOfTenant, tenantId: string, limit: number): Promise<number> {
    const [{ count }] = await manager.query<{ readonly count: number }[]>(
      `WITH batch AS (SELECT id FROM ${table} WHERE ${column} = $1 ORDER BY id LIMIT $2 FOR UPDATE),
            removed AS (DELETE FROM ${table} WHERE id IN (SELECT id FROM batch) RETURNING 1)
       SELECT count(*)::integer AS count FROM removed`,
      [tenantId, limit],
    );
    return count;
  }

  /** Checks whether a tenant has rows in a table. */
  async hasRows(manager: EntityManager, { table, column }: TableOfTenant, tenantId: string): Promise<boolean> {
    const rows = await readRows(manager, `SELECT 1 FROM ${table} WHERE ${column} = $1 LIMIT 1`, [tenantId]);
    return rows.length > 0;
  }

  /** Removes the row of a tenant whose deletion has begun, with the last rows that depend on it, and returns it; null when it is gone. */
  async removeRow(manager: EntityManager, tenantId: string): Promise<TenantSummaryDto | null> {
    const [[removed]] = await manager.query<[TenantSummaryDto[], number]>(REMOVE_ROW, [tenantId]);
    return removed ?? null;
  }
}
