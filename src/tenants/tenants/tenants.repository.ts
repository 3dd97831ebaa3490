import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

import { pagesOf, type Pages } from '../../platform/common/pages.js';
import { readRows } from '../../platform/database/read-rows.js';
import type { TenantSummaryDto } from './tenant.dto.js';

const LIST = `
  SELECT t.id, COALESCE(t.name, '') AS name FROM tenants t
  WHERE t.deleted_at IS NULL AND ($1::uuid IS NULL OR (COALESCE(t.name, ''), t.id) > ($2, $1))
  ORDER BY COALESCE(t.name, ''), t.id LIMIT $3`;

/** An index that begins with the tenant holds all that this reads. */
const DEVICE_COUNT = 'SELECT count(*)::int AS count FROM devices WHERE tenant_id = $1';

/** Lists tenants, and counts what is in them. */
@Injectable()
export class TenantsRepository {
  /** All tenants by name. */
  list(manager: EntityManager): Pages<TenantSummaryDto> {
    return pagesOf<TenantSummaryDto>((after, limit) => readRows(manager, LIST, [after?.id, after?.name, limit]));
  }

  /** How many devices a tenant has. */
  async deviceCount(manager: EntityManager, tenantId: string): Promise<number> {
    const [{ count }] = await readRows<{ readonly count: number }>(manager, DEVICE_COUNT, [tenantId]);
    return count;
  }
}
