import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

import type { EventActorKind, EventKind } from '../../access/authorization/event-log/event-kinds.js';
import { AdvisoryLock } from '../../platform/database/locks/advisory-locks.js';
import { numberCommitted, type Numbered, type NumberedTable } from '../../platform/database/numbering/number-committed.js';
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

/** The events as the database numbers them: each tenant's by itself. */
const NUMBERS: NumberedTable = {
  table: 'events',
  series: 'tenant_id',
  heads: 'event_heads',
  writtenAt: 'occurred_at',
  lock: AdvisoryLock.EventNumbers,
  channel: NUMBERED_CHANNEL,
};

const RANGE = `
  SELECT (SELECT min(number) FROM events WHERE tenant_id = $1) AS oldest,
         (SELECT last_number FROM event_heads WHERE tenant_id = $1) AS newest`;

/** Events without a number stay: their readers have not been told. */
const REMOVE_OLDER = `
  DELETE FROM events WHERE ctid = ANY (ARRAY(SELECT ctid FROM events WHERE occurred_at < $1 AND number IS NOT NULL LIMIT $2))`;

/** Of the first events of a tenant. Their numbers are in the order of their commits, which is about that of time. */
const REMOVE_OLDER_OF = `
  DELETE FROM events WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM (SELECT ctid, occurred_at FROM events WHERE tenant_id = $1 AND number IS NOT NULL ORDER BY number LIMIT $3) first
    WHERE occurred_at < $2))`;

/** The SQL of events. */
@Injectable()
export class EventsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Numbers a batch of committed events. */
  number(): Promise<Numbered> {
    return numberCommitted(this.dataSource, NUMBERS);
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

  /** The same for the events of one tenant. */
  async removeOlderOf(tenantId: string, before: Date, limit: number): Promise<number> {
    const [, count] = await this.dataSource.query<[unknown[], number]>(REMOVE_OLDER_OF, [tenantId, before, limit]);
    return count;
  }
}
