import type { ThrottlerStorage } from '@nestjs/throttler';

import { BoundedMap } from '../common/bounded-map.js';
import type { Clock } from '../common/clock.js';

/** Most windows that are kept. The oldest are dropped first. */
const MAXIMUM_WINDOWS = 100_000;

interface Window {
  readonly endsAt: number;
  requests: number;
}

type Count = Awaited<ReturnType<ThrottlerStorage['increment']>>;

/** Counts requests by key in fixed windows, in the memory of this process. A window begins with the first request after the last one. */
export class RequestWindows implements ThrottlerStorage {
  private readonly windows: BoundedMap<string, Window>;

  constructor(
    private readonly clock: Clock,
    capacity = MAXIMUM_WINDOWS,
  ) {
    this.windows = new BoundedMap(capacity);
  }

  /** Counts a request of a key in its window of so many milliseconds. Times in the answer are whole seconds. */
  increment(key: string, length: number, limit: number): Promise<Count> {
    const now = this.clock.milliseconds();
    const window = this.openWindow(key, now, length);
    window.requests += 1;
    const isBlocked = window.requests > limit;
    const seconds = Math.ceil((window.endsAt - now) / 1000);
    return Promise.resolve({ totalHits: window.requests, timeToExpire: seconds, isBlocked, timeToBlockExpire: isBlocked ? seconds : 0 });
  }

  private openWindow(key: string, now: number, length: number): Window {
    const known = this.windows.get(key);
    if (known !== undefined && now < known.endsAt) return known;
    // The new window is the youngest, so it takes the last place.
    this.windows.delete(key);
    const window = { endsAt: now + length, requests: 0 };
    this.windows.set(key, window);
    return window;
  }
}
