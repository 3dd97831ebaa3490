import { Injectable, Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';

import { messageOf } from '../../platform/common/errors.js';

/** Rows that one transaction removes: it holds them, and all that hang on them, for some 50 ms. */
const BATCH = 500;

/**
 * Tables of which a tenant may have many rows, with the column that names the tenant. What hangs on a row goes with it, so that the
 * devices, on which most hangs, come first. All other tables follow the row of the tenant.
 */
const LARGE_TABLES: readonly (readonly [table: string, column: string])[] = [
  ['devices', 'tenant_id'],
  ['installer_key_usages', 'tenant_id'],
  ['logon_tokens', 'tenant_id'],
  ['permission_assignments', 'owning_tenant_id'],
  ['users', 'tenant_id'],
  ['service_accounts', 'tenant_id'],
  ['user_groups', 'tenant_id'],
  ['customers', 'tenant_id'],
];

const removeSome = (table: string, column: string): string => `
  WITH batch AS (SELECT id FROM ${table} WHERE ${column} = $1 ORDER BY id LIMIT ${BATCH} FOR UPDATE),
       removed AS (DELETE FROM ${table} WHERE id IN (SELECT id FROM batch) RETURNING 1)
  SELECT count(*)::integer AS count FROM removed`;

/** Removes what tenants owned whose deletion has begun, in short transactions, so that nobody waits for it. */
@Injectable()
export class TenantRemoval {
  private readonly logger = new Logger('TenantRemoval');

  constructor(private readonly dataSource: DataSource) {}

  /** Removes the rest of a tenant. What fails is logged and left to {@link finishAll}: the tenant is unusable already. Never rejects. */
  async finish(tenantId: string): Promise<void> {
    try {
      await this.remove(tenantId);
    } catch (error) {
      this.logger.warn(`The rest of tenant ${tenantId} could not be removed now and will be later: ${messageOf(error)}`);
    }
  }

  /** Removes the rest of all tenants whose deletion was interrupted, and answers how many tenants these were. */
  async finishAll(signal: AbortSignal): Promise<number> {
    const tenants = await this.dataSource.query<{ id: string }[]>('SELECT id FROM tenants WHERE deleted_at IS NOT NULL ORDER BY id');
    let removed = 0;
    for (const { id } of tenants) if (await this.remove(id, signal)) removed += 1;
    return removed;
  }

  /** Removes the rest of a tenant, the row of the tenant last; false when the signal fired before. */
  private async remove(tenantId: string, signal?: AbortSignal): Promise<boolean> {
    for (const [table, column] of LARGE_TABLES) {
      for (let count = BATCH; count === BATCH;) {
        if (signal?.aborted === true) return false;
        [{ count }] = await this.dataSource.query<{ count: number }[]>(removeSome(table, column), [tenantId]);
      }
    }
    await this.dataSource.query('DELETE FROM tenants WHERE id = $1 AND deleted_at IS NOT NULL', [tenantId]);
    return true;
  }
}
