import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';

import { codeOf } from '../../common/system-error.js';
import { readPrepared, readRows } from '../../database/read-rows.js';
import type { PublicAddress } from '../device-columns.js';
import type { DeviceDetails, ReportedFigures } from '../device-details.js';

/** One accepted update, ready to be written. */
export interface DeviceWrite {
  readonly deviceId: string;
  readonly connectionId: string;
  readonly seenAt: Date;
  readonly figures: ReportedFigures;
  /** Written only when they differ from the stored ones. */
  readonly details: DeviceDetails | null;
  /** The key that the update was verified with; empty for an unsigned one. */
  readonly publicKey: string;
  /** The signed time, which must be newer than the last one; null is not compared. */
  readonly ticks: bigint | null;
  readonly address: PublicAddress;
}

/** A connection that ended. */
export interface DeviceDisconnect {
  readonly deviceId: string;
  readonly connectionId: string;
  readonly seenAt: Date;
}

/** What is written together; a device stands in it once. */
export interface DeviceBatch {
  readonly updates: readonly DeviceWrite[];
  readonly disconnects: readonly DeviceDisconnect[];
}

/** What became of a batch. Rows that are gone, or that hold another key or a newer time by now, are in none of the three. */
export interface WrittenBatch {
  readonly updated: ReadonlyMap<string, WrittenDevice>;
  readonly disconnected: ReadonlySet<string>;
  /** Devices whose rows other transactions hold: nothing of theirs was written. */
  readonly locked: ReadonlySet<string>;
}

/** What the agent does not know of its device, read back with the write. */
export interface WrittenDevice {
  readonly id: string;
  readonly tenantId: string;
  readonly alias: string;
  readonly publicIpV4: string;
  readonly publicIpV6: string;
  readonly customerId: string | null;
  readonly customerName: string | null;
  readonly tagIds: readonly string[] | null;
}

interface WrittenRow {
  readonly id: string;
  readonly tenant_id: string;
  readonly alias: string;
  readonly public_ip_v4: string;
  readonly public_ip_v6: string;
  readonly customer_id: string | null;
  readonly customer_name: string | null;
  readonly tag_ids: string[] | null;
}

/** How long a batch waits for a row that another transaction holds. Far less than PostgreSQL's `deadlock_timeout`. */
const LOCK_TIMEOUT_MS = 250;
/** SQLSTATE of a statement that gave up waiting for a lock. */
const LOCK_NOT_AVAILABLE = '55P03';

/**
 * Sets the limit within the statement that may wait, which saves a round trip: it is called before the first row is locked,
 * since every row to be written comes out of the join with it, and the setting ends with the transaction.
 */
const LIMIT_WAITING = `set_config('lock_timeout', '${LOCK_TIMEOUT_MS}', TRUE)`;

/** Rows of a batch go one way only: the update must fit the key and the time that the row holds now. */
const WRITE_FIGURES = {
  name: 'heartbeats',
  sql: `
  UPDATE devices d SET
    cpu_utilization = u.cpu, total_memory = u.total_memory, used_memory = u.used_memory,
    total_storage = u.total_storage, used_storage = u.used_storage,
    last_seen = u.seen_at, is_online = TRUE, connection_id = u.connection_id, node_id = $1,
    public_key = u.public_key, last_update_ticks = GREATEST(d.last_update_ticks, COALESCE(u.ticks, 0)),
    public_ip_v4 = COALESCE(u.ip_v4, d.public_ip_v4), public_ip_v6 = COALESCE(u.ip_v6, d.public_ip_v6)
  FROM ${LIMIT_WAITING}, unnest($2::uuid[], $3::float8[], $4::float8[], $5::float8[], $6::float8[], $7::float8[], $8::timestamptz[], $9::text[],
              $10::text[], $11::int8[], $12::text[], $13::text[])
    AS u(id, cpu, total_memory, used_memory, total_storage, used_storage, seen_at, connection_id, public_key, ticks, ip_v4, ip_v6)
  WHERE d.id = u.id AND d.public_key IN ('', u.public_key) AND (u.ticks IS NULL OR d.last_update_ticks < u.ticks)
  RETURNING d.id, d.tenant_id, d.alias, d.public_ip_v4, d.public_ip_v6, d.customer_id,
    (SELECT c.name FROM customers c WHERE c.id = d.customer_id) AS customer_name,
    CASE WHEN d.is_tagged THEN ARRAY(SELECT t.tag_id FROM device_tags t WHERE t.device_id = d.id) END AS tag_ids`,
};

const WRITE_DETAILS = `
  UPDATE devices d SET
    name = COALESCE(u.name, d.name), agent_version = COALESCE(u.agent_version, d.agent_version),
    is64_bit = u.is64_bit, os_architecture = u.os_architecture,
    os_description = COALESCE(u.os_description, d.os_description), platform = u.platform, processor_count = u.processor_count,
    current_users = COALESCE(u.current_users, d.current_users), mac_addresses = COALESCE(u.mac_addresses, d.mac_addresses),
    local_ip_v4 = COALESCE(u.local_ip_v4, d.local_ip_v4), local_ip_v6 = COALESCE(u.local_ip_v6, d.local_ip_v6),
    drives = COALESCE(u.drives, d.drives), dns_host_name = u.dns_host_name
  FROM jsonb_to_recordset($1::jsonb) AS u(id uuid, name text, agent_version text, is64_bit boolean, os_architecture smallint,
    os_description text, platform smallint, processor_count integer, current_users text[], mac_addresses text[],
    local_ip_v4 text, local_ip_v6 text, drives jsonb, dns_host_name text)
  WHERE d.id = u.id`;

const WRITE_OFFLINE = `
  UPDATE devices d SET is_online = FALSE, connection_id = '', node_id = NULL, last_seen = u.seen_at
  FROM ${LIMIT_WAITING}, unnest($1::uuid[], $2::text[], $3::timestamptz[]) AS u(id, connection_id, seen_at)
  WHERE d.id = u.id AND d.connection_id = u.connection_id
  RETURNING d.id`;

/**
 * Locks the rows that nobody else holds, and reads which ones are held. A row that was deleted is neither, unless the deletion
 * is committed within this very statement: that one counts as held, and is gone when it is tried again.
 */
const LOCK_FREE_ROWS = `
  WITH free AS (SELECT id FROM devices WHERE id = ANY($1::uuid[]) FOR NO KEY UPDATE SKIP LOCKED)
  SELECT d.id FROM devices d WHERE d.id = ANY($1::uuid[]) AND NOT EXISTS (SELECT FROM free WHERE free.id = d.id)`;

const NONE: ReadonlySet<string> = new Set();

/** A batch of heartbeats and disconnects as a handful of statements in one transaction. */
@Injectable()
export class UpdateWriterRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Writes a batch. Waits a moment for rows that other transactions hold; then writes it without them. */
  async write(nodeId: string, batch: DeviceBatch): Promise<WrittenBatch> {
    // Most batches are figures alone: one statement, which is a transaction by itself and saves the round trips of one.
    const isOneStatement = batch.disconnects.length === 0 && batch.updates.every(({ details }) => details === null);
    try {
      const outcome = isOneStatement
        ? { updated: await writeFigures(this.dataSource.manager, nodeId, batch.updates), disconnected: NONE }
        : await this.dataSource.transaction((manager) => writeRows(manager, nodeId, batch));
      return { ...outcome, locked: NONE };
    } catch (error) {
      if (codeOf(error) !== LOCK_NOT_AVAILABLE) throw error;
      return this.writeUnlocked(nodeId, batch);
    }
  }

  /** Writes what it can of a batch without waiting for rows that other transactions hold. */
  writeUnlocked(nodeId: string, { updates, disconnects }: DeviceBatch): Promise<WrittenBatch> {
    return this.dataSource.transaction(async (manager) => {
      const ids = [...updates, ...disconnects].map(({ deviceId }) => deviceId);
      const locked = new Set((await readRows<{ id: string }>(manager, LOCK_FREE_ROWS, [ids])).map(({ id }) => id));
      const isFree = ({ deviceId }: { readonly deviceId: string }): boolean => !locked.has(deviceId);
      const free = { updates: updates.filter(isFree), disconnects: disconnects.filter(isFree) };
      return { ...(await writeRows(manager, nodeId, free)), locked };
    });
  }
}

async function writeRows(
  manager: EntityManager,
  nodeId: string,
  { updates, disconnects }: DeviceBatch,
): Promise<Omit<WrittenBatch, 'locked'>> {
  const updated = updates.length === 0 ? new Map<string, WrittenDevice>() : await writeFigures(manager, nodeId, updates);
  const details = updates.flatMap((update) => (update.details !== null && updated.has(update.deviceId) ? [detailRow(update)] : []));
  if (details.length > 0) await manager.query(WRITE_DETAILS, [JSON.stringify(details)]);
  return { updated, disconnected: disconnects.length === 0 ? NONE : await writeOffline(manager, disconnects) };
}

async function writeFigures(manager: EntityManager, nodeId: string, updates: readonly DeviceWrite[]): Promise<Map<string, WrittenDevice>> {
  const rows = await readPrepared<WrittenRow>(manager, WRITE_FIGURES, figureParameters(nodeId, updates));
  return new Map(rows.map((row) => [row.id, written(row)]));
}

async function writeOffline(manager: EntityManager, disconnects: readonly DeviceDisconnect[]): Promise<Set<string>> {
  const rows = await readRows<{ id: string }>(manager, WRITE_OFFLINE, [
    disconnects.map(({ deviceId }) => deviceId),
    disconnects.map(({ connectionId }) => connectionId),
    disconnects.map(({ seenAt }) => seenAt),
  ]);
  return new Set(rows.map(({ id }) => id));
}

function written(row: WrittenRow): WrittenDevice {
  return {
    id: row.id,
    tenantId: row.tenant_id,
    alias: row.alias,
    publicIpV4: row.public_ip_v4,
    publicIpV6: row.public_ip_v6,
    customerId: row.customer_id,
    customerName: row.customer_name,
    tagIds: row.tag_ids,
  };
}

function figureParameters(nodeId: string, updates: readonly DeviceWrite[]): unknown[] {
  const column = <T>(value: (update: DeviceWrite) => T): T[] => updates.map(value);
  return [
    nodeId,
    column(({ deviceId }) => deviceId),
    column(({ figures }) => figures.cpuUtilization),
    column(({ figures }) => figures.totalMemory),
    column(({ figures }) => figures.usedMemory),
    column(({ figures }) => figures.totalStorage),
    column(({ figures }) => figures.usedStorage),
    column(({ seenAt }) => seenAt),
    column(({ connectionId }) => connectionId),
    column(({ publicKey }) => publicKey),
    column(({ ticks }) => ticks?.toString() ?? null),
    column(({ address }) => address.publicIpV4),
    column(({ address }) => address.publicIpV6),
  ];
}

function detailRow({ deviceId, details }: DeviceWrite): object {
  return {
    id: deviceId,
    name: details?.name,
    agent_version: details?.agentVersion,
    is64_bit: details?.is64Bit,
    os_architecture: details?.osArchitecture,
    os_description: details?.osDescription,
    platform: details?.platform,
    processor_count: details?.processorCount,
    current_users: details?.currentUsers,
    mac_addresses: details?.macAddresses,
    local_ip_v4: details?.localIpV4,
    local_ip_v6: details?.localIpV6,
    drives: details?.drives,
    dns_host_name: details?.dnsHostName,
  };
}
