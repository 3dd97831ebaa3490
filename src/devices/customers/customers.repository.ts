import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

import { pagesOf, type Pages } from '../../platform/common/resources/pages.js';
import { readRows } from '../../platform/database/queries/read-rows.js';
import type { CustomerDto } from './customer.dto.js';

/** Counts the devices of all customers of a page in one pass. */
const LIST = `
  WITH page AS MATERIALIZED (
    SELECT c.id, c.name, c.description, c.notes, c.created_at AS "createdAt" FROM customers c
    WHERE c.tenant_id = $1 AND ($2::text IS NULL OR c.name > $2) ORDER BY c.name LIMIT $3)
  SELECT p.*, COALESCE(n.devices, 0) AS "deviceCount"
  FROM page p LEFT JOIN (
    SELECT d.customer_id, count(*)::integer AS devices FROM devices d
    WHERE d.customer_id IN (SELECT id FROM page) GROUP BY d.customer_id
  ) n ON n.customer_id = p.id ORDER BY p.name`;

const ONE = `
  SELECT c.id, c.name, c.description, c.notes, c.created_at AS "createdAt",
         (SELECT count(*)::integer FROM devices d WHERE d.customer_id = c.id) AS "deviceCount"
  FROM customers c WHERE c.tenant_id = $1 AND c.id = $2`;

/** Reads customers with their device counts, and moves devices between them. */
@Injectable()
export class CustomersRepository {
  /** The customers of a tenant, by name. */
  list(manager: EntityManager, tenantId: string): Pages<CustomerDto> {
    return pagesOf<CustomerDto>((after, limit) => readRows(manager, LIST, [tenantId, after?.name, limit]));
  }

  /** One customer of a tenant. */
  async find(manager: EntityManager, tenantId: string, id: string): Promise<CustomerDto | null> {
    const [customer] = await manager.query<CustomerDto[]>(ONE, [tenantId, id]);
    return customer ?? null;
  }

  /** The number of devices of a customer. */
  async deviceCount(manager: EntityManager, id: string): Promise<number> {
    const [{ count }] = await manager.query<[{ count: number }]>('SELECT count(*)::integer AS count FROM devices WHERE customer_id = $1', [
      id,
    ]);
    return count;
  }

  /** The ids of a customer's devices, at most `limit`. */
  async deviceIds(manager: EntityManager, id: string, limit: number): Promise<string[]> {
    const rows = await manager.query<{ id: string }[]>('SELECT id FROM devices WHERE customer_id = $1 ORDER BY id LIMIT $2', [id, limit]);
    return rows.map((row) => row.id);
  }

  /** Assigns devices to a customer, or removes them from theirs (null). */
  async setCustomer(manager: EntityManager, deviceIds: readonly string[], customerId: string | null): Promise<void> {
    if (deviceIds.length === 0) return;
    await manager.query('UPDATE devices SET customer_id = $2 WHERE id = ANY($1::uuid[])', [deviceIds, customerId]);
  }
}
