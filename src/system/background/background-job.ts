import { Logger } from '@nestjs/common';
import type { DataSource, QueryRunner } from 'typeorm';

import { messageOf } from '../../platform/common/errors/errors.js';
import { NamedAdvisoryLock, unlessLocked } from '../../platform/database/locks/advisory-locks.js';

/** The part of a period after which a job is due again: its timer does not count from its end. */
const DUE_AFTER = 0.9;

const RAN_LATELY = `SELECT 1 FROM job_runs WHERE name = $1 AND finished_at > now() - $2 * interval '1 millisecond'`;
const NOTE_END = `
  INSERT INTO job_runs (name, finished_at) VALUES ($1, now()) ON CONFLICT (name) DO UPDATE SET finished_at = excluded.finished_at`;

/** The work of a job. It returns the number of items that it processed, and stops early when the signal fires. */
export type JobWork = (signal: AbortSignal) => Promise<number>;

/** Gets the seconds that a run took and the items that it processed; null for a run that failed. */
export type RunNoted = (seconds: number, items: number | null) => void;

const secondsSince = (started: number): number => (performance.now() - started) / 1_000;

/**
 * A periodic job. Of several nodes, one runs it at a time and the others skip it. A failure is logged, and the next run tries
 * again.
 */
export class BackgroundJob {
  private readonly logger = new Logger('BackgroundJobs');
  private total = 0;

  constructor(
    readonly name: string,
    /** Interval of the runs, in milliseconds. */
    readonly period: number,
    private readonly work: JobWork,
  ) {}

  /** Number of items that the job has processed since the process started. */
  get dealtWith(): number {
    return this.total;
  }

  /** Runs the work now and returns the number of items that it processed; null when another node runs it or it failed. Never rejects. */
  run(dataSource: DataSource, signal: AbortSignal): Promise<number | null> {
    return this.report(() => this.alone(dataSource, () => this.work(signal)));
  }

  /**
   * Runs the work unless it ran to its end in this period, here or on another node. Answers as {@link run}; `noted` gets the seconds and
   * the items of a run, null for one that failed.
   */
  runIfDue(dataSource: DataSource, signal: AbortSignal, noted?: RunNoted): Promise<number | null> {
    return this.report(() => this.alone(dataSource, (connection) => this.workIfDue(connection, signal)), noted);
  }

  private async report(run: () => Promise<number | null>, noted?: RunNoted): Promise<number | null> {
    const started = performance.now();
    try {
      const count = await run();
      if (count === null) return null;
      this.total += count;
      noted?.(secondsSince(started), count);
      const entry = { message: 'A background job is done.', job: this.name, count, total: this.total };
      const line = { ...entry, durationMs: Math.round(performance.now() - started) };
      if (count > 0) this.logger.log(line);
      else this.logger.debug(line);
      return count;
    } catch (error) {
      const reason = messageOf(error);
      noted?.(secondsSince(started), null);
      this.logger.error({ message: 'A background job failed; its next run tries again.', job: this.name, reason });
      return null;
    }
  }

  private async workIfDue(connection: QueryRunner, signal: AbortSignal): Promise<number | null> {
    const ran = (await connection.query(RAN_LATELY, [this.name, this.period * DUE_AFTER])) as unknown[];
    if (ran.length > 0) return null;
    const count = await this.work(signal);
    if (!signal.aborted) await connection.query(NOTE_END, [this.name]);
    return count;
  }

  /** Runs the work under a lock of its connection, which the database releases even if this process dies. */
  private async alone(dataSource: DataSource, work: (connection: QueryRunner) => Promise<number | null>): Promise<number | null> {
    const connection = dataSource.createQueryRunner();
    try {
      return await unlessLocked(connection, NamedAdvisoryLock.BackgroundJob, this.name, () => work(connection));
    } finally {
      await connection.release();
    }
  }
}
