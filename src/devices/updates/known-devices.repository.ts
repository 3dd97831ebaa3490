import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

import { readRows } from '../../database/read-rows.js';
import { deviceColumns, type DeviceRow } from '../device-row.js';

/** The row of a device with what its updates are checked against. */
export interface KnownDeviceRow extends DeviceRow {
  readonly public_key: string;
  readonly last_update_ticks: string;
}

interface Waiting {
  readonly id: string;
  readonly resolve: (row: KnownDeviceRow | null) => void;
  readonly reject: (error: unknown) => void;
}

const BATCH_SIZE = 500;

/** Reads devices by id. Reads at the same time share a query, as when many agents connect at once. */
@Injectable()
export class KnownDevicesRepository {
  private waiting: Waiting[] = [];
  private isRunning = false;

  constructor(private readonly dataSource: DataSource) {}

  /** The device with this id, in any tenant, or null. */
  find(id: string): Promise<KnownDeviceRow | null> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ id, resolve, reject });
      if (!this.isRunning) void this.run();
    });
  }

  private async run(): Promise<void> {
    this.isRunning = true;
    // Everything that arrives in this turn of the event loop shares the first query.
    await new Promise(setImmediate);
    while (this.waiting.length > 0) {
      const batch = this.waiting.splice(0, BATCH_SIZE);
      try {
        const rows = await readRows<KnownDeviceRow>(
          this.dataSource.manager,
          `SELECT ${deviceColumns('d')}, d.public_key, d.last_update_ticks FROM devices d WHERE d.id = ANY($1::uuid[])`,
          [batch.map(({ id }) => id)],
        );
        const byId = new Map(rows.map((row) => [row.id, row]));
        for (const { id, resolve } of batch) resolve(byId.get(id) ?? null);
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    this.isRunning = false;
  }
}
