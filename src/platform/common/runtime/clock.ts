import { Injectable } from '@nestjs/common';

const DAY_MS = 24 * 60 * 60 * 1_000;

/** The only source of the current time. Tests replace it, so that they need not wait for an expiry. */
@Injectable()
export class Clock {
  /** The current instant. */
  now(): Date {
    return new Date(this.milliseconds());
  }

  /** The current instant in milliseconds since 1970-01-01 UTC. */
  milliseconds(): number {
    return Date.now();
  }

  /** The instant so many days ago, 1970 at the earliest: options may have more days than there are dates, to keep things forever. */
  daysAgo(days: number): Date {
    return new Date(Math.max(0, this.milliseconds() - days * DAY_MS));
  }
}
