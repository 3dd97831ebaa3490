import { Injectable } from '@nestjs/common';

import { keyPendingSql } from '../../../access/authorization/evaluation/device-scope.js';
import { ReportsDataSource } from '../../../platform/database/connection/reserved-data-source.js';
import { readRows } from '../../../platform/database/queries/read-rows.js';
import type { DeviceRow } from '../row/device-fields.js';
import { deviceColumns } from '../row/device-sql.js';

/** A device with the columns against which its updates are checked. */
export interface KnownDeviceRow extends DeviceRow {
  readonly publicKey: string;
  readonly lastUpdateTicks: string;
  /** True if `publicKey` waits for approval. */
  readonly isKeyPending: boolean;
  /** The key that waits beside it, and the signed time of the last update with that key; an empty key when none does. */
  readonly waitingPublicKey: string;
  readonly waitingUpdateTicks: string;
}

interface Waiting {
  readonly id: string;
  readonly resolve: (row: KnownDeviceRow | null) => void;
  readonly reject: (error: unknown) => void;
}

const BATCH_SIZE = 500;

const FIND = `
  SELECT ${deviceColumns('d')}, d.public_key AS "publicKey", d.last_update_ticks AS "lastUpdateTicks",
         ${keyPendingSql('d')} AS "isKeyPending", d.waiting_public_key AS "waitingPublicKey", d.waiting_update_ticks AS "waitingUpdateTicks"
  FROM devices d JOIN tenants t ON t.id = d.tenant_id WHERE d.id = ANY($1::uuid[]) AND t.deleted_at IS NULL`;

/** Reads devices for the first update of a connection. Agents that connect at the same time share a query. */
@Injectable()
export class KnownDevicesRepository {
  private waiting: Waiting[] = [];
  private isRunning = false;

  constructor(private readonly dataSource: ReportsDataSource) {}

  /** The device with that id, in any tenant, or null. */
  find(id: string): Promise<KnownDeviceRow | null> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ id, resolve, reject });
      if (!this.isRunning) void this.run();
    });
  }

  private async run(): Promise<void> {
    this.isRunning = true;
    // Everything that arrived in this turn of the event loop shares the first query.
    await new Promise(setImmediate);
    while (this.waiting.length > 0) {
      const batch = this.waiting.splice(0, BATCH_SIZE);
      try {
        const rows = await readRows<KnownDeviceRow>(this.dataSource.manager, FIND, [batch.map(({ id }) => id)]);
        const byId = new Map(rows.map((row) => [row.id, row]));
        for (const { id, resolve } of batch) resolve(byId.get(id) ?? null);
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    this.isRunning = false;
  }
}
