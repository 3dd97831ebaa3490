import { Injectable } from '@nestjs/common';

/** Times by which a process counts as gone or ends, in milliseconds. */
@Injectable()
export class NodeTimes {
  /** A process that has not reported for this long, by the clock of the database, is gone. */
  readonly goneAfterMs: number = 30_000;
  /** So long a process must have reported without a hole before it judges others: after an outage of the database all are overdue. */
  readonly steadyMs: number = 30_000;
  /** A longer pause between two of its own reports is a hole. */
  readonly holeMs: number = 9_000;
  /** A process whose clock is as far from that of the database is not ready and judges nobody: agents sign their reports by the time. */
  readonly clockToleranceMs: number = 20_000;
  /** Time for which a process among several still serves after it has said that it is about to stop, so that balancers hear of it. */
  readonly drainDelayMs: number = 5_000;
}
