import { Logger } from '@nestjs/common';
import type { DataSource } from 'typeorm';

import { messageOf } from '../common/errors.js';
import { NamedAdvisoryLock, unlessLocked } from '../database/advisory-locks.js';

/** The work of a job. It returns how many items it processed, and stops early when the signal fires. */
export type JobWork = (signal: AbortSignal) => Promise<number>;

/**
 * A periodic job. Of several nodes, one runs it at a time and the others skip it. A failure is logged, and the next run tries
 * again.
 */
export class BackgroundJob {
  private readonly logger = new Logger('BackgroundJobs');
  private total = 0;

  constructor(
    readonly name: string,
    /** How often it runs, in milliseconds. */
    readonly period: number,
    private readonly work: JobWork,
  ) {}

  /** How many items the job has processed since the process started. */
  get dealtWith(): number {
    return this.total;
  }

  /** Runs the work once and returns how many items it processed; null when another node runs it or it failed. Never rejects. */
  async run(dataSource: DataSource, signal: AbortSignal): Promise<number | null> {
    const started = performance.now();
    try {
      const count = await this.alone(dataSource, signal);
      if (count === null) return null;
      this.total += count;
      const entry = { message: 'A background job is done.', job: this.name, count, total: this.total };
      const line = { ...entry, durationMs: Math.round(performance.now() - started) };
      if (count > 0) this.logger.log(line);
      else this.logger.debug(line);
      return count;
    } catch (error) {
      const reason = messageOf(error);
      this.logger.error({ message: 'A background job failed; its next run tries again.', job: this.name, reason });
      return null;
    }
  }

  /** Runs the work under a lock of its connection, which the database releases even if this process dies. */
  private async alone(dataSource: DataSource, signal: AbortSignal): Promise<number | null> {
    const connection = dataSource.createQueryRunner();
    try {
      return await unlessLocked(connection, NamedAdvisoryLock.BackgroundJob, this.name, () => this.work(signal));
    } finally {
      await connection.release();
    }
  }
}
