import { Injectable, type OnApplicationShutdown } from '@nestjs/common';

import { DomainError, ErrorCode } from '../../platform/common/errors/errors.js';

/** The reason of a call without effect that was not passed on to its agent, because it waited at the server for too long. */
export const CALL_TOO_LATE = 'The server could not pass this on in time. Try again.';

/** Interval at which this process looks at its clock, in milliseconds. */
const LOOK_INTERVAL_MS = 500;
/** A pause between two looks after which calls may have waited unread for too long, in milliseconds. */
const STANDSTILL_MS = 4_000;
/** Time in which a process that goes on reads what had arrived before, in milliseconds. */
const READ_WITHIN_MS = 1_000;

/** Notices that this process stood still. What it reads right after that may have been sent long before: nothing tells when it arrived. */
@Injectable()
export class Standstill implements OnApplicationShutdown {
  private lookedAt = performance.now();
  private endedAt = Number.NEGATIVE_INFINITY;
  private readonly timer = setInterval(() => this.look(), LOOK_INTERVAL_MS).unref();

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  /** True right after this process stood still. */
  get hasJustEnded(): boolean {
    return this.look() - this.endedAt < READ_WITHIN_MS;
  }

  /** @throws DomainError 503 right after this process stood still: the client may have given up what it reads now */
  requireInTime(): void {
    if (this.hasJustEnded) throw new DomainError(ErrorCode.Unavailable, CALL_TOO_LATE, undefined, { 'Retry-After': '1' });
  }

  private look(): number {
    const now = performance.now();
    if (now - this.lookedAt > STANDSTILL_MS) this.endedAt = now;
    this.lookedAt = now;
    return now;
  }
}
