import { Injectable } from '@nestjs/common';

import { keyPendingSql } from '../../../access/authorization/evaluation/device-scope.js';
import { ReportsDataSource } from '../../../platform/database/connection/reserved-data-source.js';
import { BatchedLookup } from '../../../platform/database/queries/batched-lookup.js';
import { readPrepared, readRows } from '../../../platform/database/queries/read-rows.js';
import type { DeviceRow } from '../row/device-fields.js';
import { deviceColumns } from '../row/device-sql.js';

/** The columns of a device against which its updates are checked. */
export interface KnownDeviceRow {
  readonly id: string;
  readonly publicKey: string;
  readonly lastUpdateTicks: string;
  /** True if `publicKey` waits for approval. */
  readonly isKeyPending: boolean;
  /** The key that waits beside it, and the signed time of the last update with that key; an empty key when none does. */
  readonly waitingPublicKey: string;
  readonly waitingUpdateTicks: string;
  /** The node that it is connected to, null while it is offline, and its connection there. */
  readonly nodeId: string | null;
  readonly connectionId: string;
  /** The digest of the details that were written last; empty when it is not known. */
  readonly detailsDigest: string;
}

/** A device whose tenant is being deleted is none. */
const FROM = 'FROM devices d JOIN tenants t ON t.id = d.tenant_id WHERE d.id = ANY($1::uuid[]) AND t.deleted_at IS NULL';

/** Agents that come at once from another node wait for this query, so that it does not read the many columns of a whole row. */
const FIND = {
  name: 'known-devices',
  sql: `
  SELECT d.id, d.public_key AS "publicKey", d.last_update_ticks AS "lastUpdateTicks", ${keyPendingSql('d')} AS "isKeyPending",
         d.waiting_public_key AS "waitingPublicKey", d.waiting_update_ticks AS "waitingUpdateTicks", d.node_id AS "nodeId",
         d.connection_id AS "connectionId", d.details_digest AS "detailsDigest"
  ${FROM}`,
};

const READ = `SELECT ${deviceColumns('d')} ${FROM}`;

/** Reads devices for the first update of a connection, and their rows to show them. Agents that connect at the same time share a query. */
@Injectable()
export class KnownDevicesRepository {
  private readonly known: BatchedLookup<KnownDeviceRow>;
  private readonly rows: BatchedLookup<DeviceRow>;

  constructor({ manager }: ReportsDataSource) {
    this.known = new BatchedLookup((ids) => readPrepared<KnownDeviceRow>(manager, FIND, [ids]));
    this.rows = new BatchedLookup((ids) => readRows<DeviceRow>(manager, READ, [ids]));
  }

  /** The columns against which an update of the device with that id is checked, in any tenant, or null. */
  find(id: string): Promise<KnownDeviceRow | null> {
    return this.known.find(id);
  }

  /** The whole row of the device with that id, in any tenant, or null. */
  read(id: string): Promise<DeviceRow | null> {
    return this.rows.find(id);
  }
}
