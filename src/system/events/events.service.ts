import { setImmediate as nextTurn } from 'node:timers/promises';

import { Injectable } from '@nestjs/common';

import type { TenantContext } from '../../access/authentication/principals/request-context.js';
import { EventKind } from '../../access/authorization/event-log/event-kinds.js';
import { GoneError, invalidField, notFound } from '../../platform/common/errors/errors.js';
import { EventFeed, type EventWatch } from './event-feed.js';
import { eventIdOf, markOf, parseEventId } from './event-id.js';
import { EventRights } from './event-rights.js';
import { LATEST, type EventDto, type EventsQueryDto, type EventsResponseDto, type EventStreamQueryDto } from './event.dto.js';
import { eventOf } from './event-response.js';
import { EventsRepository, type EventRow, type EventSelection } from './events.repository.js';

/** Events that one query reads. */
const READ_BATCH = 500;
/** Events that one answer looks at: a reader who may see few of them goes on with `next`. */
const MAXIMUM_LOOKED_AT = 10_000;
/** Interval at which the rights of a waiting reader are checked, in milliseconds. */
const CHECK_INTERVAL_MS = 1_000;
/** Silence after which a stream sends a comment, in milliseconds, so that proxies do not cut it. */
const COMMENT_AFTER_MS = 15_000;
/** Largest number: stands for the newest event. */
const BEYOND_ALL = 9_223_372_036_854_775_807n;
/** Events of one batch of a stream. */
const STREAM_BATCH = 100;

const REMOVED =
  'Events after this one were removed, because they were too old. Read without `after` to begin with the oldest that is left.';
const KINDS: readonly string[] = Object.values(EventKind);

/** The events to look for, and how many of those that the caller may see. */
type Wanted = Pick<EventSelection, 'tenantId' | 'kinds' | 'deviceId' | 'direction' | 'limit'>;

/** Events that the caller may see, and the number up to which all were looked at; null when there is none. */
interface Looked {
  readonly rows: readonly EventRow[];
  readonly number: bigint;
  /** True if more may follow. */
  readonly areMore: boolean;
}

/** A part of a stream: events, or silence. The id is that behind which a reader goes on; null while there is none. */
export interface StreamPart {
  readonly events: readonly EventDto[];
  readonly lastId: string | null;
}

/** Reads events for callers, at once, when they come, or as a stream. */
@Injectable()
export class EventsService {
  constructor(
    private readonly repository: EventsRepository,
    private readonly rights: EventRights,
    private readonly feed: EventFeed,
  ) {}

  /** 400 for a malformed id, 404 for one that the tenant does not have, 410 when events behind it were removed. Returns its number; 0 for null. */
  async begin(tenantId: string, after: string | null): Promise<bigint> {
    if (after === null) return 0n;
    const number = numberOf(tenantId, 'after', after);
    const { oldest, newest } = await this.repository.range(tenantId);
    if (newest === null || number > newest) throw notFound('The event');
    // Behind the last one that was removed nothing is missing.
    if (number < (oldest ?? newest + 1n) - 1n) {
      throw new GoneError(REMOVED, { oldestId: oldest === null ? null : eventIdOf(oldest, tenantId) });
    }
    return number;
  }

  /** A page of events. If there is none, waits until one comes, the time is over, or the signal fires. */
  async list({ principal, tenantId }: TenantContext, query: EventsQueryDto, signal: AbortSignal): Promise<EventsResponseDto> {
    const { after, before, limit, wait } = query;
    const wanted = { ...filterOf(query), tenantId, limit };
    if (before !== null) {
      if (after !== null) throw invalidField('before', 'before cannot be combined with after.');
      const number = before === LATEST ? BEYOND_ALL : numberOf(tenantId, 'before', before);
      const looked = await this.look(principal, { ...wanted, direction: 'before' }, number, signal);
      return this.answer(tenantId, looked, looked.areMore ? looked.number : 0n);
    }
    let number = await this.begin(tenantId, after);
    const deadline = performance.now() + wait * 1_000;
    const watch = this.feed.watch(tenantId);
    const either = AbortSignal.any([signal, this.feed.stopSignal]);
    try {
      for (;;) {
        watch.look();
        const looked = await this.look(principal, { ...wanted, direction: 'after' }, number, signal);
        ({ number } = looked);
        const isOver = either.aborted || performance.now() >= deadline;
        if (looked.rows.length > 0 || looked.areMore || isOver) return this.answer(tenantId, looked, number);
        await this.await(principal, tenantId, watch, deadline, either);
      }
    } finally {
      watch.end();
    }
  }

  /**
   * The events behind a number, and those that come, until the signal fires, the service stops, or nothing has come for `wait` seconds.
   * @throws DomainError when the caller may no longer read events of the tenant
   */
  async *follow(
    { principal, tenantId }: TenantContext,
    query: EventStreamQueryDto,
    from: bigint,
    signal: AbortSignal,
  ): AsyncGenerator<StreamPart> {
    const wanted: Wanted = { ...filterOf(query), tenantId, direction: 'after', limit: STREAM_BATCH };
    const either = AbortSignal.any([signal, this.feed.stopSignal]);
    const waitMs = query.wait === null ? Infinity : query.wait * 1_000;
    const watch = this.feed.watch(tenantId);
    let number = from;
    let lastEventAt = performance.now();
    try {
      while (!either.aborted) {
        watch.look();
        const looked = await this.look(principal, wanted, number, signal);
        ({ number } = looked);
        const events = looked.rows.map((row) => eventOf(row, tenantId));
        if (events.length > 0) lastEventAt = performance.now();
        if (events.length > 0 || looked.areMore) yield { events, lastId: idOf(number, tenantId) };
        if (looked.areMore) continue;
        const endsAt = lastEventAt + waitMs;
        const commentAt = performance.now() + COMMENT_AFTER_MS;
        await this.await(principal, tenantId, watch, Math.min(endsAt, commentAt), either);
        if (performance.now() >= endsAt) return;
        if (performance.now() >= commentAt) yield { events: [], lastId: idOf(number, tenantId) };
      }
    } finally {
      watch.end();
    }
  }

  /** The events behind a number, for the service itself, and the number up to which it has looked. */
  async next(
    tenantId: string,
    from: bigint,
    kinds: readonly string[] | null,
    limit: number,
  ): Promise<{ readonly events: readonly EventDto[]; readonly number: bigint }> {
    // Read first: all events up to it can be read by the next query.
    const { newest } = await this.repository.range(tenantId);
    const rows = await this.repository.read({ tenantId, direction: 'after', number: from, kinds, deviceId: null, limit });
    const last = rows.at(-1)?.number ?? from;
    return { events: rows.map((row) => eventOf(row, tenantId)), number: rows.length < limit ? bigger(newest ?? 0n, last) : last };
  }

  /** Waits for news until a time. Throws when the rights of the reader end. */
  private async await(
    principal: TenantContext['principal'],
    tenantId: string,
    watch: EventWatch,
    until: number,
    signal: AbortSignal,
  ): Promise<void> {
    while (!signal.aborted && !watch.isDue && performance.now() < until) {
      await watch.change(Math.min(CHECK_INTERVAL_MS, until - performance.now()), signal);
      await this.rights.require(principal, tenantId);
    }
  }

  /** Looks at events until enough of them are visible to the caller. */
  private async look(principal: TenantContext['principal'], wanted: Wanted, from: bigint, signal: AbortSignal): Promise<Looked> {
    await this.rights.require(principal, wanted.tenantId);
    const rows: EventRow[] = [];
    let number = from;
    for (let lookedAt = 0; lookedAt < MAXIMUM_LOOKED_AT; lookedAt += READ_BATCH) {
      signal.throwIfAborted();
      // Read first: all events up to it can be read by the next query.
      const { newest } = await this.repository.range(wanted.tenantId);
      const batch = await this.repository.read({ ...wanted, number, limit: READ_BATCH });
      for (const row of await this.rights.visible(principal, wanted.tenantId, batch)) {
        rows.push(row);
        ({ number } = row);
        if (rows.length === wanted.limit) return { rows, number, areMore: true };
      }
      const last = batch.at(-1)?.number;
      if (batch.length < READ_BATCH) {
        const end = wanted.direction === 'before' ? (last ?? number) : bigger(newest ?? 0n, last ?? number);
        return { rows, number: end, areMore: false };
      }
      number = last ?? number;
      await nextTurn();
    }
    return { rows, number, areMore: true };
  }

  private answer(tenantId: string, { rows }: Looked, next: bigint): EventsResponseDto {
    return { items: rows.map((row) => eventOf(row, tenantId)), next: idOf(next, tenantId) };
  }
}

function idOf(number: bigint, tenantId: string): string | null {
  return number === 0n ? null : eventIdOf(number, tenantId);
}

function bigger(one: bigint, other: bigint): bigint {
  return one > other ? one : other;
}

/** The number in an id: 400 for a malformed id, 404 for one of another tenant. */
function numberOf(tenantId: string, field: string, id: string): bigint {
  const parsed = parseEventId(id);
  if (parsed === null) throw invalidField(field, `${field} must be the id of an event.`);
  if (parsed.mark !== markOf(tenantId)) throw notFound('The event');
  return parsed.number;
}

function filterOf({ kinds, deviceId }: Pick<EventsQueryDto, 'kinds' | 'deviceId'>): Pick<EventSelection, 'kinds' | 'deviceId'> {
  const wanted = kinds === null || kinds === '' ? null : kinds.split(',');
  const unknown = wanted?.find((kind) => !KINDS.includes(kind));
  if (unknown !== undefined) throw invalidField('kinds', `kinds must be some of ${KINDS.join(', ')}.`);
  return { kinds: wanted, deviceId };
}
