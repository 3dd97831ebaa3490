import type { ThrottlerStorage } from '@nestjs/throttler';

import type { Clock } from '../common/clock.js';
import { CountedWindows } from '../common/counted-windows.js';

type Count = Awaited<ReturnType<ThrottlerStorage['increment']>>;

/** Counts requests by key in fixed windows. */
export class RequestWindows implements ThrottlerStorage {
  private readonly windows: CountedWindows;

  constructor(
    private readonly clock: Clock,
    capacity?: number,
  ) {
    this.windows = new CountedWindows(clock, capacity);
  }

  /** Counts a request of a key in its window of so many milliseconds. Times in the answer are whole seconds. */
  increment(key: string, length: number, limit: number): Promise<Count> {
    const { count, endsAt } = this.windows.count(key, length);
    const isBlocked = count > limit;
    const seconds = Math.ceil((endsAt - this.clock.milliseconds()) / 1000);
    return Promise.resolve({ totalHits: count, timeToExpire: seconds, isBlocked, timeToBlockExpire: isBlocked ? seconds : 0 });
  }
}
