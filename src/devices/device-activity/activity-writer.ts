import { Injectable, Logger } from '@nestjs/common';

import { messageOf } from '../../platform/common/errors/errors.js';
import { codeOf } from '../../platform/common/errors/system-error.js';
import { DeviceActivitiesRepository, type ActivityRow } from './device-activities.repository.js';

/** Records that may wait for the database, about 5 MB. Beyond, the oldest are lost. */
const MAXIMUM_WAITING = 10_000;
/** Records that one statement writes. */
const BATCH = 500;
/** The wait after the database failed. */
const RETRY_MS = 1_000;

/**
 * Writes audit records in the background, one batch at a time, so that no transfer waits for its record. While the database is away,
 * records wait.
 */
@Injectable()
export class ActivityWriter {
  private readonly logger = new Logger('DeviceActivities');
  /** The newest state of each record that is not written yet, by id. */
  private readonly waiting = new Map<string, ActivityRow>();
  private writing: Promise<void> | null = null;
  /** Number of records that were ever put in line, and of those that have left it. */
  private entered = 0;
  private left = 0;
  /** Callers that wait until so many records are written or refused. */
  private readonly settling: { readonly upTo: number; readonly settle: () => void }[] = [];
  private retry: NodeJS.Timeout | undefined;

  constructor(private readonly repository: DeviceActivitiesRepository) {}

  /** Has a record written soon. A newer state of a record replaces one that still waits. */
  add(row: ActivityRow): void {
    if (this.waiting.size >= MAXIMUM_WAITING && !this.waiting.has(row.id)) this.loseOldest();
    this.put(row);
    if (this.retry === undefined) this.writing ??= this.writeAll();
  }

  /** Settles when the records that were added by now are written, or the database has refused them for now. */
  settled(): Promise<void> {
    if (this.writing === null) return Promise.resolve();
    return new Promise((settle) => this.settling.push({ upTo: this.entered, settle }));
  }

  /** Writes the waiting records now. Those that the database refuses then are lost. */
  async flush(): Promise<void> {
    await this.writing;
    this.stopWaiting();
    // Records that are added by now are part of it.
    this.writing ??= this.writeAll();
    await this.writing;
    this.stopWaiting();
    if (this.waiting.size > 0) this.logger.error(`Audit records of ${this.waiting.size} activities could not be written.`);
  }

  private async writeAll(): Promise<void> {
    // Everything of this turn of the event loop goes into the first batch.
    await new Promise(setImmediate);
    while (this.waiting.size > 0) {
      const batch = [...this.waiting.values()].slice(0, BATCH);
      for (const { id } of batch) this.waiting.delete(id);
      this.left += batch.length;
      const written = this.left;
      try {
        await this.write(batch);
        this.settle(written);
      } catch (error) {
        this.logger.warn(`Audit records wait: the database did not take them. ${messageOf(error)}`);
        for (const row of batch) if (!this.waiting.has(row.id)) this.put(row);
        this.retry = setTimeout(() => {
          this.retry = undefined;
          this.writing ??= this.writeAll();
        }, RETRY_MS).unref();
        break;
      }
    }
    this.writing = null;
    this.settle(this.entered);
  }

  /** Lets a record wait: behind all others, or in the place of an older state of it. */
  private put(row: ActivityRow): void {
    if (!this.waiting.has(row.id)) this.entered += 1;
    this.waiting.set(row.id, row);
  }

  /** Answers the callers that wait for the first so many records. */
  private settle(upTo: number): void {
    while (this.settling.length > 0 && this.settling[0].upTo <= upTo) this.settling.shift()?.settle();
  }

  /** Writes a batch. If the database refuses the values of a record, writes all others. */
  private async write(batch: readonly ActivityRow[]): Promise<void> {
    try {
      await this.repository.write(batch);
    } catch (error) {
      if (!/^2[23]/.test(codeOf(error) ?? '')) throw error;
      if (batch.length > 1) for (const row of batch) await this.write([row]);
      else this.logger.error({ message: 'An audit record was lost: the database does not take it.', ...batch[0], error: messageOf(error) });
    }
  }

  private stopWaiting(): void {
    clearTimeout(this.retry);
    this.retry = undefined;
  }

  private loseOldest(): void {
    const [oldest] = this.waiting.values();
    this.waiting.delete(oldest.id);
    this.left += 1;
    this.logger.error({ message: 'An audit record was lost: too many wait for the database.', ...oldest });
  }
}
