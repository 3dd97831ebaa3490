import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

import type { EventActorKind, EventKind } from '../../access/authorization/event-log/event-kinds.js';
import { AdvisoryLock, lockUntilCommit } from '../../platform/database/locks/advisory-locks.js';
import { readRows } from '../../platform/database/queries/read-rows.js';

/** The channel on which the database tells that events were written. Their triggers send it. */
export const WRITTEN_CHANNEL = 'events_written';
/** The channel on which the database tells that events of a tenant were numbered. The payload is the tenant. */
export const NUMBERED_CHANNEL = 'events_numbered';

/** An event as it is stored, with its number. */
export interface EventRow {
  readonly number: bigint;
  readonly kind: EventKind;
  readonly occurredAt: Date;
  readonly deviceId: string | null;
  readonly actorKind: EventActorKind | null;
  readonly actorId: string | null;
  readonly actorName: string | null;
  readonly data: object;
}

/** Numbers of the oldest event that is left and of the newest that there was; null where there is none. */
export interface EventRange {
  readonly oldest: bigint | null;
  readonly newest: bigint | null;
}

/** The events to read. */
export interface EventSelection {
  readonly tenantId: string;
  /** `after`: rising from the number, without it; `before`: falling. */
  readonly direction: 'after' | 'before';
  readonly number: bigint;
  readonly kinds: readonly string[] | null;
  readonly deviceId: string | null;
  readonly limit: number;
}

/** Events that one statement numbers. */
const NUMBERING_BATCH = 1_000;

/**
 * Numbers events whose transactions have committed, each tenant's by itself and without gaps. One process at a time does it, so that a
 * number is only given when all smaller ones can be read: readers that go on after a number miss nothing, however long a transaction took.
 */
const NUMBER = `
  WITH batch AS MATERIALIZED (
    SELECT id, tenant_id, row_number() OVER (PARTITION BY tenant_id ORDER BY occurred_at, id) AS place
    FROM (SELECT id, tenant_id, occurred_at FROM events WHERE number IS NULL ORDER BY occurred_at, id LIMIT ${NUMBERING_BATCH}) waiting
  ), counted AS (
    SELECT tenant_id, count(*) AS count FROM batch GROUP BY tenant_id
  ), heads AS (
    INSERT INTO event_heads AS h (tenant_id, last_number) SELECT tenant_id, count FROM counted
    ON CONFLICT (tenant_id) DO UPDATE SET last_number = h.last_number + EXCLUDED.last_number
    RETURNING tenant_id, last_number
  ), numbered AS (
    UPDATE events e SET number = heads.last_number - counted.count + batch.place
    FROM batch JOIN heads USING (tenant_id) JOIN counted USING (tenant_id)
    WHERE e.id = batch.id
    RETURNING e.tenant_id
  )
  SELECT count(*)::int AS count, pg_notify('${NUMBERED_CHANNEL}', tenant_id::text) FROM numbered GROUP BY tenant_id`;

const ARE_WAITING = 'SELECT 1 FROM events WHERE number IS NULL LIMIT 1';

const RANGE = `
  SELECT (SELECT min(number) FROM events WHERE tenant_id = $1) AS oldest,
         (SELECT last_number FROM event_heads WHERE tenant_id = $1) AS newest`;

/** Events without a number stay: their readers have not been told. */
const REMOVE_OLDER = `
  DELETE FROM events WHERE ctid = ANY (ARRAY(SELECT ctid FROM events WHERE occurred_at < $1 AND number IS NOT NULL LIMIT $2))`;

/** The SQL of events. */
@Injectable()
export class EventsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Numbers a batch of committed events. Returns their number, and true if more may wait. */
  async number(): Promise<{ readonly count: number; readonly areMore: boolean }> {
    const rows = await readRows<object>(this.dataSource.manager, ARE_WAITING, []);
    if (rows.length === 0) return { count: 0, areMore: false };
    const tenants = await this.dataSource.transaction(async (manager) => {
      // A statement of its own: the next one sees what the former holder of the lock has numbered.
      await lockUntilCommit(manager, AdvisoryLock.EventNumbers);
      return readRows<{ count: number }>(manager, NUMBER, []);
    });
    const count = tenants.reduce((sum, tenant) => sum + tenant.count, 0);
    return { count, areMore: count === NUMBERING_BATCH };
  }

  /** The numbers of a tenant's events. */
  async range(tenantId: string): Promise<EventRange> {
    const [{ oldest, newest }] = await readRows<Record<keyof EventRange, string | null>>(this.dataSource.manager, RANGE, [tenantId]);
    return { oldest: oldest === null ? null : BigInt(oldest), newest: newest === null ? null : BigInt(newest) };
  }

  /** Events of a tenant in the order of their numbers, rising or falling. */
  async read({ tenantId, direction, number, kinds, deviceId, limit }: EventSelection): Promise<EventRow[]> {
    const [comparison, order] = direction === 'after' ? ['>', 'ASC'] : ['<', 'DESC'];
    const rows = await readRows<Omit<EventRow, 'number'> & { readonly number: string }>(
      this.dataSource.manager,
      `SELECT number, kind, occurred_at AS "occurredAt", device_id AS "deviceId", actor_kind AS "actorKind", actor_id AS "actorId",
              actor_name AS "actorName", data
       FROM events
       WHERE tenant_id = $1 AND number ${comparison} $2 AND ($3::text[] IS NULL OR kind = ANY($3)) ${deviceId === null ? 'AND $4::uuid IS NULL' : 'AND device_id = $4'}
       ORDER BY number ${order} LIMIT $5`,
      [tenantId, number.toString(), kinds, deviceId, limit],
    );
    return rows.map((row) => ({ ...row, number: BigInt(row.number) }));
  }

  /** Deletes at most `limit` events from before an instant and returns how many. */
  async removeOlder(before: Date, limit: number): Promise<number> {
    const [, count] = await this.dataSource.query<[unknown[], number]>(REMOVE_OLDER, [before, limit]);
    return count;
  }
}
