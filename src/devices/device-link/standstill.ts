import { Injectable, type OnApplicationShutdown } from '@nestjs/common';

import { LONGEST_WAY_MS, MAXIMUM_AGE_MS } from './call-age.js';

/** Interval at which this process looks at its clock, in milliseconds. */
const LOOK_INTERVAL_MS = 500;
/** A longer pause between two looks is a standstill, in milliseconds. A process with much to do makes shorter ones. */
const STANDSTILL_MS = 1_000;
/** Time in which a process that goes on reads what had arrived before, in milliseconds. */
const READ_WITHIN_MS = 1_000;
/** Time for which an ended standstill is known, in milliseconds: what was read after it is too old by then. */
const KNOWN_MS = LONGEST_WAY_MS + READ_WITHIN_MS;

/** A standstill, by the monotonic clock in milliseconds. */
interface Pause {
  readonly beganAt: number;
  readonly endedAt: number;
}

/** Notices that this process stood still. What it reads right after that may have been sent long before: nothing tells when it arrived. */
@Injectable()
export class Standstill implements OnApplicationShutdown {
  private lookedAt = performance.now();
  /** The last standstills, the oldest first. */
  private pauses: readonly Pause[] = [];
  private readonly timer = setInterval(() => this.look(), LOOK_INTERVAL_MS).unref();

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  /**
   * The earliest time at which what was read at that time, or is read now, can have arrived, by the monotonic clock in milliseconds: that
   * time, or the beginning of a standstill that had just ended.
   */
  arrivedSince(readAt?: number): number {
    const now = this.look();
    const time = readAt ?? now;
    const pause = this.pauses.findLast(({ beganAt }) => beganAt < time);
    return pause !== undefined && time - pause.endedAt < READ_WITHIN_MS ? pause.beganAt : time;
  }

  private look(): number {
    const now = performance.now();
    if (now - this.lookedAt > STANDSTILL_MS) {
      const last = this.pauses.at(-1);
      // After a long one there is much to read: what arrived in it may still be unread after a short one that follows.
      const followsLong =
        last !== undefined && this.lookedAt - last.endedAt < READ_WITHIN_MS && this.lookedAt - last.beganAt > MAXIMUM_AGE_MS;
      const pause = { beganAt: followsLong ? last.beganAt : this.lookedAt, endedAt: now };
      this.pauses = [...this.pauses.filter(({ endedAt }) => now - endedAt < KNOWN_MS), pause];
    }
    this.lookedAt = now;
    return now;
  }
}
