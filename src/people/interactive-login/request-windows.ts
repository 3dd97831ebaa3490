import type { ThrottlerStorage } from '@nestjs/throttler';
import type { DataSource } from 'typeorm';

import { BoundedMap } from '../../platform/common/collections/bounded-map.js';
import type { Clock } from '../../platform/common/runtime/clock.js';

type Count = Awaited<ReturnType<ThrottlerStorage['increment']>>;

/** Windows that are over their limit, which this process remembers: a flood costs no more queries. */
const MAXIMUM_REMEMBERED = 10_000;

/** Counts a request of the key $1 at $2, in a window that ends at $3 if it is a new one. */
const COUNT = `
  INSERT INTO request_windows AS w (key, count, ends_at) VALUES ($1, 1, $3)
  ON CONFLICT (key) DO UPDATE SET
    count = CASE WHEN w.ends_at <= $2 THEN 1 ELSE w.count + 1 END,
    ends_at = CASE WHEN w.ends_at <= $2 THEN excluded.ends_at ELSE w.ends_at END
  RETURNING count, ends_at`;

const REMOVE = `
  DELETE FROM request_windows WHERE key IN (SELECT key FROM request_windows WHERE ends_at <= $1 LIMIT $2 FOR UPDATE SKIP LOCKED)`;

/** Counts requests by key in fixed windows, of all processes together. */
export class RequestWindows implements ThrottlerStorage {
  private readonly blocked = new BoundedMap<string, { readonly count: number; readonly endsAt: number }>(MAXIMUM_REMEMBERED);

  constructor(
    private readonly clock: Clock,
    private readonly dataSource: DataSource,
  ) {}

  /** Counts a request of a key in its window of so many milliseconds. Times in the answer are whole seconds. */
  async increment(key: string, length: number, limit: number): Promise<Count> {
    const now = this.clock.milliseconds();
    const known = this.blocked.get(key);
    const { count, endsAt } = known !== undefined && now < known.endsAt ? known : await this.count(key, now, now + length);
    const isBlocked = count > limit;
    if (isBlocked) this.blocked.set(key, { count, endsAt });
    const seconds = Math.ceil((endsAt - now) / 1000);
    return { totalHits: count, timeToExpire: seconds, isBlocked, timeToBlockExpire: isBlocked ? seconds : 0 };
  }

  private async count(key: string, now: number, newEnd: number): Promise<{ readonly count: number; readonly endsAt: number }> {
    const [row] = await this.dataSource.query<{ count: number; ends_at: Date }[]>(COUNT, [key, new Date(now), new Date(newEnd)]);
    if (row === undefined) throw new Error('A request was not counted.');
    return { count: row.count, endsAt: row.ends_at.getTime() };
  }
}

/** Removes windows that are over, and returns how many. */
export async function removeOverWindows(dataSource: DataSource, now: Date, limit: number): Promise<number> {
  const [, removed] = await dataSource.query<[unknown[], number]>(REMOVE, [now, limit]);
  return removed;
}
