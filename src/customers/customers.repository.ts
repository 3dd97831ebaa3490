import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

import { LIST_LIMIT } from '../common/list-limit.js';
import type { CustomerDto } from './customer.dto.js';

const COLUMNS = 'c.id, c.name, c.description, c.notes, c.created_at AS "createdAt"';

/** A tenant's customers; the devices are counted in one pass, whatever the number of customers. */
const LIST = `
  SELECT ${COLUMNS}, COALESCE(n.devices, 0) AS "deviceCount"
  FROM customers c
  LEFT JOIN (
    SELECT d.customer_id, count(*)::integer AS devices FROM devices d
    WHERE d.tenant_id = $1 AND d.customer_id IS NOT NULL GROUP BY d.customer_id
  ) n ON n.customer_id = c.id
  WHERE c.tenant_id = $1 ORDER BY c.name LIMIT $2`;

const ONE = `
  SELECT ${COLUMNS}, (SELECT count(*)::integer FROM devices d WHERE d.customer_id = c.id) AS "deviceCount"
  FROM customers c WHERE c.tenant_id = $1 AND c.id = $2`;

/** Reads customers with what they count, and moves devices between them. */
@Injectable()
export class CustomersRepository {
  /** A tenant's customers by name. */
  list(manager: EntityManager, tenantId: string): Promise<CustomerDto[]> {
    return manager.query<CustomerDto[]>(LIST, [tenantId, LIST_LIMIT]);
  }

  /** One customer of a tenant. */
  async find(manager: EntityManager, tenantId: string, id: string): Promise<CustomerDto | null> {
    const [customer] = await manager.query<CustomerDto[]>(ONE, [tenantId, id]);
    return customer ?? null;
  }

  /** How many devices a customer has. */
  async deviceCount(manager: EntityManager, id: string): Promise<number> {
    const [{ count }] = await manager.query<[{ count: number }]>('SELECT count(*)::integer AS count FROM devices WHERE customer_id = $1', [
      id,
    ]);
    return count;
  }

  /** The ids of a customer's devices, so many at most. */
  async deviceIds(manager: EntityManager, id: string, limit: number): Promise<string[]> {
    const rows = await manager.query<{ id: string }[]>('SELECT id FROM devices WHERE customer_id = $1 ORDER BY id LIMIT $2', [id, limit]);
    return rows.map((row) => row.id);
  }

  /** Gives devices to a customer, or to none (null). */
  async setCustomer(manager: EntityManager, deviceIds: readonly string[], customerId: string | null): Promise<void> {
    if (deviceIds.length === 0) return;
    await manager.query('UPDATE devices SET customer_id = $2 WHERE id = ANY($1::uuid[])', [deviceIds, customerId]);
  }
}
