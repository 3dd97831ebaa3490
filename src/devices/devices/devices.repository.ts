import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

import type { SqlCondition } from '../../access/authorization/evaluation/device-scope.js';
import type { ReadRows } from '../../platform/database/queries/bounded-reads.js';
import { readPrepared, readRows } from '../../platform/database/queries/read-rows.js';
import type { DeviceRow } from './row/device-fields.js';
import { deviceColumns, fieldList } from './row/device-sql.js';
import type { SearchConditions } from './search/device-search.js';
import { searchedDevices } from './search/search-properties.js';

/** The position of a row in a list. The next page starts after it. */
export interface ListKey {
  /** Creation time as PostgreSQL writes it, which is more precise than a Date. */
  readonly list_key: string;
  readonly id: string;
}

const SUMMARY_FIELDS = ['id', 'lastSeen', 'agentVersion'] as const;
/** A device as summaries need it. */
export type DeviceSummaryRow = Pick<DeviceRow, (typeof SUMMARY_FIELDS)[number]>;

/** Numbers of devices that a search found, by state. */
interface DeviceCounts {
  readonly total: number;
  readonly online: number;
  readonly tagged: number;
}

/** A search for devices. */
export interface DeviceSearch extends SearchConditions {
  readonly scope: SqlCondition;
  /** An order that `searchOrder` returned. */
  readonly order: string;
  readonly stretch: Stretch;
}

/** A part of the devices that match a search. */
export interface FoundDevices {
  readonly rows: readonly DeviceRow[];
  /** Counts of all devices that match. */
  readonly counts: DeviceCounts;
}

/** The devices behind the same public address. */
export interface Neighbours {
  readonly address: string;
  readonly ids: readonly string[];
}

const DELETABLE_FIELDS = ['id', 'tenantId', 'name', 'alias', 'connectionId'] as const;
/** A device that is about to be deleted, with the node that holds its connection. */
export type DeletableDevice = Pick<DeviceRow, (typeof DELETABLE_FIELDS)[number]> & { readonly nodeId: string | null };

/** The part of a sorted result that is read. */
export interface Stretch {
  readonly offset: number;
  readonly limit: number;
}

const ALIAS = 'd';
/** The parameters of scope conditions come first; a query adds its own after them. */
export const SCOPE_FIRST_PARAMETER = 1;

const FIND = {
  name: 'device',
  sql: `SELECT ${deviceColumns(ALIAS)} FROM devices d WHERE d.id = $1 AND ($2::uuid IS NULL OR d.tenant_id = $2)`,
};

/** A device's public IPv4 address, and its online neighbours behind it. Those that have reported last come first. */
const NEIGHBOURS = {
  name: 'neighbours of a device',
  sql: `SELECT d.public_ip_v4 AS address, ARRAY(
          SELECT n.id FROM devices n
          WHERE n.tenant_id = d.tenant_id AND n.public_ip_v4 = d.public_ip_v4 AND d.public_ip_v4 <> ''
            AND n.customer_id IS NOT DISTINCT FROM d.customer_id AND n.is_online AND n.id <> d.id
          ORDER BY n.last_seen DESC LIMIT $2) AS ids
        FROM devices d WHERE d.id = $1`,
};

/**
 * Up to this number, all matches are sorted. Beyond it, an index that has the order is walked until the stretch is full.
 * PostgreSQL must not choose by itself: its estimate for rare texts is poor, it assumes that matches are spread evenly over the
 * order, and it may walk past all other devices.
 */
const FEW_MATCHES = 10_000;

/** Counts the devices that match, by state, and finds the stretch when they are few. The condition is evaluated once. */
export function findStatement({ sql, parameters }: SqlCondition, order: string, { offset, limit }: Stretch): SqlCondition {
  return {
    sql: `WITH found AS MATERIALIZED (
            SELECT count(*)::integer AS total, (count(*) FILTER (WHERE d.is_online))::integer AS online,
                   (count(*) FILTER (WHERE d.is_tagged))::integer AS tagged,
                   CASE WHEN count(*) <= ${FEW_MATCHES} THEN array_agg(d.id) END AS few
            FROM ${searchedDevices(sql)} WHERE ${sql})
          SELECT total, online, tagged, CASE WHEN total <= ${FEW_MATCHES} THEN ARRAY(
            SELECT d.id FROM ${searchedDevices(order)} WHERE d.id = ANY(few) ORDER BY ${order} ${stretchOf(parameters)}) END AS ids
          FROM found`,
    parameters: [...parameters, offset, limit],
  };
}

/** Finds the stretch when many devices match. */
export function walkStatement({ sql, parameters }: SqlCondition, order: string, { offset, limit }: Stretch): SqlCondition {
  return {
    sql: `SELECT d.id FROM ${searchedDevices(sql, order)} WHERE ${sql} ORDER BY ${order} ${stretchOf(parameters)}`,
    parameters: [...parameters, offset, limit],
  };
}

/** Reads the devices that were found, in their order. The scope is checked again, because rights may have changed since. */
export function readStatement({ sql, parameters }: SqlCondition, ids: readonly string[], order: string): SqlCondition {
  return {
    sql: `SELECT ${deviceColumns(ALIAS)} FROM ${searchedDevices(sql, order)} WHERE ${sql} AND d.id = ANY($${parameters.length + 1}::uuid[]) ORDER BY ${order}`,
    parameters: [...parameters, ids],
  };
}

/** Finds a row when any device matches. */
export function anyStatement({ sql, parameters }: SqlCondition): SqlCondition {
  return { sql: `SELECT 1 FROM devices d WHERE ${sql} LIMIT 1`, parameters };
}

/** OFFSET and LIMIT as the two parameters after the others. */
function stretchOf(parameters: readonly unknown[]): string {
  return `OFFSET $${parameters.length + 1} LIMIT $${parameters.length + 2}`;
}

/** The SQL of devices. Every list has the caller's scope, which includes the tenant, in its WHERE clause. */
@Injectable()
export class DevicesRepository {
  /** The next page of a list in order of creation. */
  page(manager: EntityManager, scope: SqlCondition, after: ListKey | null, limit: number): Promise<(DeviceRow & ListKey)[]> {
    return this.pageOf(manager, deviceColumns(ALIAS), scope, after, limit);
  }

  /** The next page of summaries in order of creation. */
  summaryPage(manager: EntityManager, scope: SqlCondition, after: ListKey | null, limit: number): Promise<(DeviceSummaryRow & ListKey)[]> {
    return this.pageOf(manager, fieldList(SUMMARY_FIELDS, ALIAS), scope, after, limit);
  }

  /** One device; `tenantId` is null when the caller may name any tenant. */
  async find(manager: EntityManager, id: string, tenantId: string | null): Promise<DeviceRow | null> {
    const [row] = await readPrepared<DeviceRow>(manager, FIND, [id, tenantId]);
    return row ?? null;
  }

  /** The online devices of the same tenant and customer with the device's public IPv4 address, which is empty when it is not known. */
  async neighbours(manager: EntityManager, id: string, limit: number): Promise<Neighbours> {
    const [found] = await readPrepared<Neighbours>(manager, NEIGHBOURS, [id, limit]);
    return found ?? { address: '', ids: [] };
  }

  /** The requested stretch of the devices that match, and the counts of all that match. */
  async search(read: ReadRows, search: DeviceSearch): Promise<FoundDevices> {
    const condition = await this.conditionOf(read, search);
    const find = findStatement(condition, search.order, search.stretch);
    const [{ ids, ...counts }] = await read<DeviceCounts & { ids: string[] | null }>(find.sql, find.parameters);
    return { rows: await this.readInOrder(read, search, ids ?? (await this.walk(read, search, condition))), counts };
  }

  /** Checks that a device is in scope. */
  async hasAny(manager: EntityManager, scope: SqlCondition): Promise<boolean> {
    const { sql, parameters } = anyStatement(scope);
    return (await readRows(manager, sql, parameters)).length > 0;
  }

  /** Locks those of the devices that are in scope, for deletion. The locks are taken in order of id, so that two calls cannot deadlock. */
  holdDeletable(manager: EntityManager, scope: SqlCondition, ids: readonly string[]): Promise<DeletableDevice[]> {
    return manager.query<DeletableDevice[]>(
      `SELECT ${fieldList(DELETABLE_FIELDS, ALIAS)}, d.node_id AS "nodeId" FROM devices d
       WHERE ${scope.sql} AND d.id = ANY($${scope.parameters.length + 1}::uuid[]) ORDER BY d.id FOR UPDATE`,
      [...scope.parameters, ids],
    );
  }

  /** Deletes devices. */
  async delete(manager: EntityManager, ids: readonly string[]): Promise<void> {
    await manager.query('DELETE FROM devices WHERE id = ANY($1::uuid[])', [ids]);
  }

  private async conditionOf(read: ReadRows, { condition, shortcut }: DeviceSearch): Promise<SqlCondition> {
    if (shortcut === null) return condition;
    const { sql, parameters } = anyStatement(shortcut.exception);
    return (await read(sql, parameters)).length > 0 ? condition : shortcut.condition;
  }

  private async walk(read: ReadRows, { order, stretch }: DeviceSearch, condition: SqlCondition): Promise<string[]> {
    const { sql, parameters } = walkStatement(condition, order, stretch);
    return (await read<{ id: string }>(sql, parameters)).map(({ id }) => id);
  }

  private async readInOrder(read: ReadRows, { scope, order }: DeviceSearch, ids: readonly string[]): Promise<DeviceRow[]> {
    if (ids.length === 0) return [];
    const { sql, parameters } = readStatement(scope, ids, order);
    return read<DeviceRow>(sql, parameters);
  }

  private pageOf<T extends object>(
    manager: EntityManager,
    columns: string,
    scope: SqlCondition,
    after: ListKey | null,
    limit: number,
  ): Promise<T[]> {
    const { sql, parameters } = scope;
    const behind =
      after === null ? '' : `AND (d.created_at, d.id) > ($${parameters.length + 2}::timestamptz, $${parameters.length + 3}::uuid)`;
    return readRows<T>(
      manager,
      `SELECT ${columns}, d.created_at::text AS list_key FROM devices d WHERE ${sql} ${behind}
       ORDER BY d.created_at, d.id LIMIT $${parameters.length + 1}`,
      [...parameters, limit, ...(after === null ? [] : [after.list_key, after.id])],
    );
  }
}
