import { Injectable } from '@nestjs/common';

import { keyPendingSql } from '../../../access/authorization/evaluation/device-scope.js';
import { ReportsDataSource } from '../../../platform/database/connection/reserved-data-source.js';
import { BatchedLookup } from '../../../platform/database/queries/batched-lookup.js';
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
  /** The node that it is connected to; null while it is offline. */
  readonly nodeId: string | null;
}

const FIND = `
  SELECT ${deviceColumns('d')}, d.public_key AS "publicKey", d.last_update_ticks AS "lastUpdateTicks",
         ${keyPendingSql('d')} AS "isKeyPending", d.waiting_public_key AS "waitingPublicKey", d.waiting_update_ticks AS "waitingUpdateTicks",
         d.node_id AS "nodeId"
  FROM devices d JOIN tenants t ON t.id = d.tenant_id WHERE d.id = ANY($1::uuid[]) AND t.deleted_at IS NULL`;

/** Reads devices for the first update of a connection. Agents that connect at the same time share a query. */
@Injectable()
export class KnownDevicesRepository {
  private readonly lookup: BatchedLookup<KnownDeviceRow>;

  constructor(dataSource: ReportsDataSource) {
    this.lookup = new BatchedLookup((ids) => readRows<KnownDeviceRow>(dataSource.manager, FIND, [ids]));
  }

  /** The device with that id, in any tenant, or null. */
  find(id: string): Promise<KnownDeviceRow | null> {
    return this.lookup.find(id);
  }
}
