import { Injectable } from '@nestjs/common';

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
}
