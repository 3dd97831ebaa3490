import { Injectable } from '@nestjs/common';

/** When a process counts as gone, in milliseconds. */
@Injectable()
export class NodeTimes {
  /** A process that has not reported for this long, by the clock of the database, is gone. */
  readonly goneAfterMs: number = 30_000;
  /** So long a process must have reported without a hole before it judges others: after an outage of the database all are overdue. */
  readonly steadyMs: number = 30_000;
  /** A longer pause between two of its own reports is a hole. */
  readonly holeMs: number = 9_000;
}
