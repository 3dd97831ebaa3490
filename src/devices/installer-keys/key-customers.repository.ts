import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

import { readRows } from '../../platform/database/queries/read-rows.js';

interface CustomerRow {
  readonly id: string;
}

const FIND = `
  SELECT c.id FROM installer_key_customers k JOIN customers c ON c.id = k.customer_id
  WHERE k.installer_key_id = $1 AND c.tenant_id = $2`;

const WRITE = `
  INSERT INTO installer_key_customers (installer_key_id, customer_id)
  SELECT $1, c.id FROM customers c WHERE c.id = $2 AND c.tenant_id = $3 FOR KEY SHARE
  ON CONFLICT (installer_key_id) DO UPDATE SET customer_id = EXCLUDED.customer_id
  RETURNING customer_id`;

/** The SQL of the customers of installer keys. */
@Injectable()
export class KeyCustomersRepository {
  /** The customer of a key; null for none. */
  async find(manager: EntityManager, tenantId: string, keyId: string): Promise<string | null> {
    const [row] = await readRows<CustomerRow>(manager, FIND, [keyId, tenantId]);
    return row?.id ?? null;
  }

  /** The same, and the customer is not deleted until the transaction ends. */
  async hold(manager: EntityManager, tenantId: string, keyId: string): Promise<string | null> {
    const [row] = await manager.query<CustomerRow[]>(`${FIND} FOR KEY SHARE OF c`, [keyId, tenantId]);
    return row?.id ?? null;
  }

  /** Stores the customer of a key. False, and nothing is changed, when the tenant does not have the customer. */
  async write(manager: EntityManager, tenantId: string, keyId: string, customerId: string): Promise<boolean> {
    return (await manager.query<unknown[]>(WRITE, [keyId, customerId, tenantId])).length > 0;
  }

  /** Leaves a key without a customer. */
  async remove(manager: EntityManager, keyId: string): Promise<void> {
    await manager.query('DELETE FROM installer_key_customers WHERE installer_key_id = $1', [keyId]);
  }
}
