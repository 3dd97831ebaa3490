import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';

import { RightOfWay } from '../../../platform/common/concurrency/right-of-way.js';
import { messageOf } from '../../../platform/common/errors/errors.js';
import { codeOf } from '../../../platform/common/errors/system-error.js';
import { ServerNode } from '../../../platform/node/server-node.js';
import { LockedRowsNotice } from './notices/locked-rows-notice.js';
import { ReportMetrics } from './report-metrics.js';
import {
  UpdateWriterRepository,
  type DeviceDisconnect,
  type DeviceWrite,
  type WrittenBatch,
  type WrittenDevice,
} from './update-writer.repository.js';
import { batchOf, giveUp, settle, type WaitingWrite } from './waiting-write.js';
import { WriteQueue } from './write-queue.js';

/** Updates that may wait; more are refused, so that a database that does not answer cannot fill the memory. */
const MAXIMUM_WAITING = 100_000;
/** Delay before a disconnect is tried again after the database failed. */
const DISCONNECT_RETRY_MS = 1_000;

/**
 * The only writer of device updates and disconnects. It writes them in batches: while one batch is written the next one fills, so
 * that a single update costs less the more there are. Each caller is answered after the commit of its batch. There is never more
 * than one batch at a time, because concurrent batches would deadlock.
 *
 * A row that another transaction holds delays only its own device. The first batch that meets such a row waits for it a moment and
 * is then written without it; as long as any device is held back, later batches do not wait for rows at all.
 *
 * It has right of way from the first entry until none is left: lists of devices wait for it between their pages.
 */
@Injectable()
export class UpdateWriter implements OnModuleDestroy {
  private readonly logger = new Logger('UpdateWriter');
  private readonly queue = new WriteQueue();
  private readonly notice = new LockedRowsNotice(this.logger);
  private retry: NodeJS.Timeout | undefined;
  private running: Promise<void> | null = null;
  private isStopping = false;

  constructor(
    private readonly repository: UpdateWriterRepository,
    private readonly node: ServerNode,
    private readonly rightOfWay: RightOfWay,
    private readonly metrics: ReportMetrics,
  ) {
    metrics.observeWaiting(() => this.queue.length);
  }

  /**
   * Writes an update. Null when the row is gone or now has another key or a newer time. While another transaction holds the row, the
   * update waits for it. Rejects when the database fails, when too many updates wait, and when the service ends before the row is
   * free.
   */
  update(write: DeviceWrite): Promise<WrittenDevice | null> {
    if (this.queue.length >= MAXIMUM_WAITING) return Promise.reject(new Error('Too many device updates wait for the database.'));
    return new Promise((resolve, reject) => {
      this.add({ kind: 'update', deviceId: write.deviceId, write, settle: resolve, fail: reject });
    });
  }

  /**
   * Marks a device offline, unless it is connected through another connection by now; false when nothing was written. It is tried
   * until it succeeds or the service stops; the next start marks the devices that are left.
   */
  disconnect(disconnect: DeviceDisconnect): Promise<boolean> {
    return new Promise((resolve) => {
      this.add({ kind: 'disconnect', deviceId: disconnect.deviceId, disconnect, settle: resolve });
    });
  }

  /**
   * Gives up entries that wait for held rows once the node has no hub connection: their transaction may last longer than the service is given
   * to stop. Until then agents report and leave as before, and a node may let them go over minutes.
   */
  onModuleDestroy(): void {
    this.isStopping = true;
    this.notice.reset();
    if (this.isEnding) this.giveUpHeld();
  }

  private get isEnding(): boolean {
    return this.isStopping && this.node.connections === 0;
  }

  private giveUpHeld(): void {
    clearTimeout(this.retry);
    for (const entry of this.queue.clearHeld()) giveUp(entry);
  }

  private add(entry: WaitingWrite): void {
    this.queue.add(entry);
    this.start();
  }

  private start(): void {
    this.running ??= this.run();
  }

  private async run(): Promise<void> {
    this.rightOfWay.begin();
    // Everything that arrives in this turn of the event loop shares the first batch.
    await new Promise(setImmediate);
    for (let batch = this.queue.take(performance.now()); batch.length > 0; batch = this.queue.take(performance.now())) {
      const begun = performance.now();
      try {
        const written = await this.write(batch);
        this.metrics.wrote(batch.length, (performance.now() - begun) / 1_000);
        this.settle(batch, written);
      } catch (error) {
        await this.writeOneByOne(batch, error);
      }
      this.notice.update(this.queue.heldDeviceCount);
    }
    this.running = null;
    this.rightOfWay.end();
    this.scheduleRetry();
  }

  private write(batch: readonly WaitingWrite[]): Promise<WrittenBatch> {
    const rows = batchOf(batch);
    return this.queue.heldDeviceCount === 0 ? this.repository.write(this.node.id, rows) : this.repository.writeUnlocked(this.node.id, rows);
  }

  private settle(batch: readonly WaitingWrite[], written: WrittenBatch): void {
    const now = performance.now();
    const { isEnding } = this;
    for (const entry of batch) {
      if (!written.locked.has(entry.deviceId)) settle(entry, written);
      else if (isEnding) giveUp(entry);
      else this.queue.hold(entry, now);
    }
    this.queue.finish(batch.filter(({ deviceId }) => !written.locked.has(deviceId)));
    if (isEnding) this.giveUpHeld();
  }

  /** Writes the entries of a failed batch one by one, so that only the invalid ones fail. */
  private async writeOneByOne(batch: readonly WaitingWrite[], batchError: unknown): Promise<void> {
    this.logger.warn(`A batch of ${batch.length} device updates failed; they are written one by one: ${messageOf(batchError)}`);
    let databaseFailed = false;
    for (const entry of batch) {
      try {
        if (databaseFailed) throw batchError;
        this.settle([entry], await this.repository.writeUnlocked(this.node.id, batchOf([entry])));
      } catch (error) {
        this.fail(entry, error);
        databaseFailed ||= isConnectionFailure(error);
      }
    }
  }

  private fail(entry: WaitingWrite, error: unknown): void {
    if (entry.kind === 'update') entry.fail(error);
    else if (this.isEnding) giveUp(entry);
    else setTimeout(() => this.add(entry), DISCONNECT_RETRY_MS).unref();
    this.queue.finish([entry]);
  }

  private scheduleRetry(): void {
    clearTimeout(this.retry);
    const { nextRetry } = this.queue;
    if (nextRetry !== undefined) this.retry = setTimeout(() => this.start(), Math.max(0, nextRetry - performance.now())).unref();
  }
}

/**
 * Checks that the database itself failed, so that trying the next row is pointless. Bad data, violated rules, deadlocks and held locks
 * concern one row.
 */
function isConnectionFailure(error: unknown): boolean {
  return !/^(22|23|40|55P03)/.test(codeOf(error) ?? '');
}
