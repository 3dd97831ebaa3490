import { Injectable } from '@nestjs/common';

/** Times of a process among those of one database, in milliseconds. */
@Injectable()
export class NodeTimes {
  /** Time without a report, by the clock of the database, after which a process is gone. */
  readonly goneAfterMs: number = 30_000;
  /**
   * Time for which a process must have reported without a hole before it judges others: after an outage of the database all are overdue.
   */
  readonly steadyMs: number = 30_000;
  /** Longest pause between two reports of a process itself that is no hole. */
  readonly holeMs: number = 9_000;
  /** Difference from the clock of the database at which a process is not ready and judges nobody: agents sign their reports by the time. */
  readonly clockToleranceMs: number = 20_000;
}
