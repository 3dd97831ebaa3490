import { Injectable, type OnApplicationShutdown } from '@nestjs/common';

import { DomainError, ErrorCode } from '../../platform/common/errors/errors.js';
import { CALL_TOO_LATE, isTooOld, MAXIMUM_AGE_MS } from './call-age.js';

/** Interval at which this process looks at its clock, in milliseconds. */
const LOOK_INTERVAL_MS = 500;
/** A longer pause between two looks is a standstill, in milliseconds. A process with much to do makes shorter ones. */
const STANDSTILL_MS = 1_000;
/** Time in which a process that goes on reads what had arrived before, in milliseconds. */
const READ_WITHIN_MS = 1_000;

/** Notices that this process stood still. What it reads right after that may have been sent long before: nothing tells when it arrived. */
@Injectable()
export class Standstill implements OnApplicationShutdown {
  private lookedAt = performance.now();
  private beganAt = Number.NEGATIVE_INFINITY;
  private endedAt = Number.NEGATIVE_INFINITY;
  private readonly timer = setInterval(() => this.look(), LOOK_INTERVAL_MS).unref();

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  /**
   * The earliest time at which what is read now can have arrived, by the monotonic clock in milliseconds: now, or the beginning of a
   * standstill that has just ended.
   */
  arrivedSince(): number {
    const now = this.look();
    return this.hasEndedBefore(now) ? this.beganAt : now;
  }

  /** @throws DomainError 503 right after a long standstill: the client may have given up what this process reads now */
  requireInTime(): void {
    if (isTooOld(this.arrivedSince())) throw new DomainError(ErrorCode.Unavailable, CALL_TOO_LATE, undefined, { 'Retry-After': '1' });
  }

  private look(): number {
    const now = performance.now();
    if (now - this.lookedAt > STANDSTILL_MS) {
      // After a long one there is much to read: what arrived in it may still be unread after a short one that follows.
      const followsLong = this.hasEndedBefore(this.lookedAt) && this.lookedAt - this.beganAt > MAXIMUM_AGE_MS;
      if (!followsLong) this.beganAt = this.lookedAt;
      this.endedAt = now;
    }
    this.lookedAt = now;
    return now;
  }

  /** Checks that a standstill ended just before that time. */
  private hasEndedBefore(time: number): boolean {
    return time - this.endedAt < READ_WITHIN_MS;
  }
}
