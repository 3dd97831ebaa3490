import type { Clock } from '../runtime/clock.js';
import { BoundedMap } from './bounded-map.js';

/** Most windows that are kept. The oldest are dropped first. */
const MAXIMUM_WINDOWS = 100_000;

/** A window of time, and the number of times that its key was counted in it. */
export interface CountedWindow {
  /** Milliseconds since 1970. */
  readonly endsAt: number;
  readonly count: number;
}

/** Counts by key in fixed windows, in the memory of this process. A window begins with the first count after the last one. */
export class CountedWindows {
  private readonly windows: BoundedMap<string, CountedWindow>;

  constructor(
    private readonly clock: Clock,
    capacity = MAXIMUM_WINDOWS,
  ) {
    this.windows = new BoundedMap(capacity);
  }

  /** Counts a key once more, in its window of a length in milliseconds. */
  count(key: string, length: number): CountedWindow {
    const now = this.clock.milliseconds();
    const known = this.windows.get(key);
    const isOpen = known !== undefined && now < known.endsAt;
    // A new window is the youngest, so it takes the last place.
    if (!isOpen) this.windows.delete(key);
    const window = isOpen ? { endsAt: known.endsAt, count: known.count + 1 } : { endsAt: now + length, count: 1 };
    this.windows.set(key, window);
    return window;
  }
}
