import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

import { keyPendingSql } from '../../../access/authorization/evaluation/device-scope.js';
import { codeOf } from '../../../platform/common/errors/system-error.js';
import { ReportsDataSource } from '../../../platform/database/connection/reserved-data-source.js';
import { readPrepared, readRows } from '../../../platform/database/queries/read-rows.js';
import type { PublicAddress } from '../row/device-columns.js';
import { digestOf } from '../row/device-details.js';
import { fieldsFrom, type DeviceDetails, type DeviceRow, type FieldName, type ReportedFigures } from '../row/device-fields.js';
import { columnOf, fieldList, sqlTypeOf } from '../row/device-sql.js';

/** One accepted update, ready to be written. */
export interface DeviceWrite {
  readonly deviceId: string;
  readonly connectionId: string;
  readonly seenAt: Date;
  readonly figures: ReportedFigures;
  /** Null when they are not to be written: they equal the stored ones, or the key waits for approval. */
  readonly details: DeviceDetails | null;
  /** Connection that must have written the row last: only then is its memory of the device right. Null for a row that was just read. */
  readonly writtenBy: string | null;
  /** The key that verified the update; empty for an unsigned one. */
  readonly publicKey: string;
  /** The signed time, which must be newer than the last one; null when it is not compared. */
  readonly ticks: bigint | null;
  readonly address: PublicAddress;
}

/** A connection that ended. */
export interface DeviceDisconnect {
  readonly deviceId: string;
  readonly connectionId: string;
  readonly seenAt: Date;
}

/** Updates that are written together; each device occurs once. */
export interface DeviceBatch {
  readonly updates: readonly DeviceWrite[];
  readonly disconnects: readonly DeviceDisconnect[];
}

/**
 * The outcome of a batch. A row that is gone, holds another key or a newer time by now, or was written by another connection than expected is
 * in none of the three.
 */
export interface WrittenBatch {
  readonly updated: ReadonlyMap<string, WrittenDevice>;
  readonly disconnected: ReadonlySet<string>;
  /** Devices whose rows other transactions hold: nothing was written for them. */
  readonly locked: ReadonlySet<string>;
}

/** The fields that an agent does not know of its device. They are read back with the write. */
const READ_BACK = fieldsFrom('server', 'address');
export interface WrittenDevice extends Pick<DeviceRow, (typeof READ_BACK)[number]> {
  /** True if the key that verified the update waits for approval. */
  readonly isKeyPending: boolean;
}

/** Time-out of a batch's wait for a row that another transaction holds. Far less than PostgreSQL's `deadlock_timeout`. */
const LOCK_TIMEOUT_MS = 250;
/** SQLSTATE of a statement that gave up waiting for a lock. */
const LOCK_NOT_AVAILABLE = '55P03';

/**
 * Sets the limit within the statement that may wait, which saves a round trip. The join calls it before the first row is locked,
 * and the setting ends with the transaction.
 */
const LIMIT_WAITING = `set_config('lock_timeout', '${LOCK_TIMEOUT_MS}', TRUE)`;

/** A column of the record set `u` that a batch is passed as: one array per column. */
interface BatchColumn<T> {
  readonly name: string;
  readonly type: string;
  readonly value: (item: T) => unknown;
}

const FIGURES = fieldsFrom('figures');

const UPDATE_COLUMNS: readonly BatchColumn<DeviceWrite>[] = [
  { name: 'id', type: 'uuid', value: ({ deviceId }) => deviceId },
  ...FIGURES.map((name) => ({ ...columnFor(name), value: ({ figures }: DeviceWrite) => figures[name] })),
  { ...columnFor('lastSeen'), value: ({ seenAt }) => seenAt },
  { ...columnFor('connectionId'), value: ({ connectionId }) => connectionId },
  { name: 'public_key', type: 'text', value: ({ publicKey }) => publicKey },
  { name: 'ticks', type: 'int8', value: ({ ticks }) => ticks?.toString() ?? null },
  { name: 'written_by', type: 'text', value: ({ writtenBy }) => writtenBy },
  { ...columnFor('publicIpV4'), value: ({ address }) => address.publicIpV4 },
  { ...columnFor('publicIpV6'), value: ({ address }) => address.publicIpV6 },
];

const DETAILS = fieldsFrom('details');

/**
 * Skips rows that hold another key or a newer time by now: a signed time must never be accepted twice. Skips rows that a
 * connection at another node has written, of which this node may not have heard yet. Writes nothing for a node that others took for gone: it
 * does not know so yet.
 */
const WRITE_FIGURES = { name: 'heartbeats', sql: writeSql([], '') };

/**
 * Like {@link WRITE_FIGURES}, with details for some of the devices: a second statement would write their rows twice. The details come as
 * JSON with the names of the fields, because arrays of arrays cannot be passed as a record set.
 */
const WRITE_REPORTS = {
  name: 'reports',
  sql: writeSql(
    [
      ...DETAILS.map((name) => `${columnOf(name)} = COALESCE(n."${name}", d.${columnOf(name)})`),
      'details_digest = COALESCE(n."detailsDigest", d.details_digest)',
    ],
    `LEFT JOIN jsonb_to_recordset($${UPDATE_COLUMNS.length + 2}::jsonb)
       AS n(id uuid, "detailsDigest" text, ${DETAILS.map((name) => `"${name}" ${sqlTypeOf(name)}`).join(', ')}) ON n.id = u.id`,
  ),
};

const DISCONNECT_COLUMNS: readonly BatchColumn<DeviceDisconnect>[] = [
  { name: 'id', type: 'uuid', value: ({ deviceId }) => deviceId },
  { ...columnFor('connectionId'), value: ({ connectionId }) => connectionId },
  { ...columnFor('lastSeen'), value: ({ seenAt }) => seenAt },
];

/**
 * Waits for no row: devices that move to another node are being written by that one, so that waiting for them would be in vain, and in
 * large numbers a deadlock. The ids of held rows are read as well, by `NOT IN`: PostgreSQL expects one row of `free`, and would compare each
 * device with all of them for `NOT EXISTS`.
 */
const WRITE_OFFLINE = `
  WITH ended AS (SELECT u.* FROM ${recordSet(DISCONNECT_COLUMNS, 1)}),
  free AS MATERIALIZED (
    SELECT d.id, e.last_seen FROM devices d JOIN ended e ON d.id = e.id AND d.connection_id = e.connection_id
    FOR NO KEY UPDATE OF d SKIP LOCKED),
  written AS (
    UPDATE devices d SET is_online = FALSE, connection_id = '', node_id = NULL, last_seen = free.last_seen
    FROM free WHERE d.id = free.id
    RETURNING d.id)
  SELECT id, TRUE AS "isWritten" FROM written
  UNION ALL
  SELECT d.id, FALSE FROM devices d JOIN ended e ON d.id = e.id AND d.connection_id = e.connection_id
  WHERE d.id NOT IN (SELECT id FROM free)`;

/**
 * Locks the rows that no other transaction holds, and reads the ids of those that are held. A deleted row is neither. Only when
 * its deletion commits during this statement does it count as held; the next try finds that it is gone.
 */
const LOCK_FREE_ROWS = `
  WITH free AS (SELECT id FROM devices WHERE id = ANY($1::uuid[]) FOR NO KEY UPDATE SKIP LOCKED)
  SELECT d.id FROM devices d WHERE d.id = ANY($1::uuid[]) AND NOT EXISTS (SELECT FROM free WHERE free.id = d.id)`;

const NONE: ReadonlySet<string> = new Set();
/** The outcome of a batch without ends of connections. */
const NO_ENDS: Pick<WrittenBatch, 'disconnected' | 'locked'> = { disconnected: NONE, locked: NONE };

/** Writes a batch of heartbeats and disconnects with a few statements in one transaction. */
@Injectable()
export class UpdateWriterRepository {
  constructor(private readonly dataSource: ReportsDataSource) {}

  /**
   * Writes a batch. Its updates wait up to LOCK_TIMEOUT_MS for rows that other transactions hold, then the batch is written without them. Ends
   * of connections wait for none.
   */
  async write(nodeId: string, batch: DeviceBatch): Promise<WrittenBatch> {
    // Most batches contain only updates. They need one statement, which is a transaction on its own and saves the round
    // trips of an explicit one.
    const isOneStatement = batch.disconnects.length === 0;
    try {
      return isOneStatement
        ? { updated: await writeUpdates(this.dataSource.manager, nodeId, batch.updates), ...NO_ENDS }
        : await this.dataSource.transaction((manager) => writeRows(manager, nodeId, batch));
    } catch (error) {
      if (codeOf(error) !== LOCK_NOT_AVAILABLE) throw error;
      return this.writeUnlocked(nodeId, batch);
    }
  }

  /** Writes the batch except for the rows that other transactions hold, without waiting for them. */
  writeUnlocked(nodeId: string, { updates, disconnects }: DeviceBatch): Promise<WrittenBatch> {
    return this.dataSource.transaction(async (manager) => {
      const ids = [...updates, ...disconnects].map(({ deviceId }) => deviceId);
      const locked = new Set((await readRows<{ id: string }>(manager, LOCK_FREE_ROWS, [ids])).map(({ id }) => id));
      const isFree = ({ deviceId }: { readonly deviceId: string }): boolean => !locked.has(deviceId);
      const free = { updates: updates.filter(isFree), disconnects: disconnects.filter(isFree) };
      const written = await writeRows(manager, nodeId, free);
      return { ...written, locked: new Set([...locked, ...written.locked]) };
    });
  }
}

async function writeRows(manager: EntityManager, nodeId: string, { updates, disconnects }: DeviceBatch): Promise<WrittenBatch> {
  const updated = updates.length === 0 ? new Map<string, WrittenDevice>() : await writeUpdates(manager, nodeId, updates);
  return { updated, ...(disconnects.length === 0 ? NO_ENDS : await writeOffline(manager, disconnects)) };
}

async function writeUpdates(manager: EntityManager, nodeId: string, updates: readonly DeviceWrite[]): Promise<Map<string, WrittenDevice>> {
  const details = updates.flatMap(({ deviceId, details: reported }) =>
    reported === null ? [] : [{ id: deviceId, detailsDigest: digestOf(reported), ...reported }],
  );
  const parameters = [nodeId, ...arraysOf(UPDATE_COLUMNS, updates)];
  const rows =
    details.length === 0
      ? await readPrepared<WrittenDevice>(manager, WRITE_FIGURES, parameters)
      : await readPrepared<WrittenDevice>(manager, WRITE_REPORTS, [...parameters, JSON.stringify(details)]);
  return new Map(rows.map((row) => [row.id, row]));
}

async function writeOffline(
  manager: EntityManager,
  disconnects: readonly DeviceDisconnect[],
): Promise<Pick<WrittenBatch, 'disconnected' | 'locked'>> {
  const rows = await readRows<{ id: string; isWritten: boolean }>(manager, WRITE_OFFLINE, arraysOf(DISCONNECT_COLUMNS, disconnects));
  const idsOf = (written: boolean): Set<string> => new Set(rows.flatMap(({ id, isWritten }) => (isWritten === written ? [id] : [])));
  return { disconnected: idsOf(true), locked: idsOf(false) };
}

/** The statement that writes figures, with further columns from a record set that is joined to that of the batch. */
function writeSql(furtherColumns: readonly string[], furtherSet: string): string {
  const columns = [...FIGURES.map((name) => `${columnOf(name)} = u.${columnOf(name)}`), ...furtherColumns];
  return `
  UPDATE devices d SET
    ${columns.join(', ')},
    last_seen = u.last_seen, is_online = TRUE, connection_id = u.connection_id, node_id = $1,
    public_key = u.public_key, last_update_ticks = GREATEST(d.last_update_ticks, COALESCE(u.ticks, 0)),
    public_ip_v4 = COALESCE(u.public_ip_v4, d.public_ip_v4), public_ip_v6 = COALESCE(u.public_ip_v6, d.public_ip_v6)
  FROM ${LIMIT_WAITING}, ${recordSet(UPDATE_COLUMNS, 2)} ${furtherSet}
  WHERE d.id = u.id AND d.public_key IN ('', u.public_key) AND (u.ticks IS NULL OR d.last_update_ticks < u.ticks)
    AND (u.written_by IS NULL OR d.connection_id = u.written_by) AND EXISTS (SELECT FROM nodes WHERE id = $1)
  RETURNING ${fieldList(READ_BACK, 'd')}, ${keyPendingSql('d')} AS "isKeyPending"`;
}

/** Name and type of a column that takes the values of a field. */
function columnFor(name: FieldName): Pick<BatchColumn<never>, 'name' | 'type'> {
  return { name: columnOf(name), type: sqlTypeOf(name) };
}

/** The record set `u` of a batch; its columns are parameters, starting with the one of the given number. */
function recordSet<T>(columns: readonly BatchColumn<T>[], firstParameter: number): string {
  const arrays = columns.map(({ type }, index) => `$${firstParameter + index}::${type}[]`);
  return `unnest(${arrays.join(', ')}) AS u(${columns.map(({ name }) => name).join(', ')})`;
}

/** The parameters of a record set. */
function arraysOf<T>(columns: readonly BatchColumn<T>[], items: readonly T[]): unknown[][] {
  return columns.map(({ value }) => items.map(value));
}
