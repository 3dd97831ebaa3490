import { Injectable } from '@nestjs/common';

/** The one source of the current time, replaced in tests so that expiry needs no waiting. */
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
