import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';

import { messageOf } from '../../common/errors.js';
import { codeOf } from '../../common/system-error.js';
import { ServerNode } from '../../server/server-node.js';
import { UpdateWriterRepository, type DeviceDisconnect, type DeviceWrite, type WrittenDevice } from './update-writer.repository.js';

/** Most entries of one batch: larger ones only make the first of them wait. */
const BATCH_SIZE = 500;
/** Updates that may wait; beyond it they are refused, so that a dead database does not fill the memory. */
const MAXIMUM_WAITING = 100_000;
/** How long a disconnect waits before it is tried again after the database failed. */
const RETRY_DELAY_MS = 1_000;

interface WaitingUpdate {
  readonly kind: 'update';
  readonly deviceId: string;
  readonly write: DeviceWrite;
  readonly settle: (written: WrittenDevice | null) => void;
  readonly fail: (error: unknown) => void;
}

interface WaitingDisconnect {
  readonly kind: 'disconnect';
  readonly deviceId: string;
  readonly disconnect: DeviceDisconnect;
  readonly settle: (wasWritten: boolean) => void;
}

type Waiting = WaitingUpdate | WaitingDisconnect;

/**
 * The one writer of device updates and disconnects (group commit). Entries of a device keep their order: a batch holds a
 * device once, and the next batch fills while one is being written. Each entry is answered after its commit; the cost of a
 * heartbeat falls as load grows. Concurrent batches would deadlock, a single writer cannot.
 */
@Injectable()
export class UpdateWriter implements OnModuleDestroy {
  private readonly logger = new Logger('UpdateWriter');
  private waiting: Waiting[] = [];
  private running: Promise<void> | null = null;
  private isStopping = false;

  constructor(
    private readonly repository: UpdateWriterRepository,
    private readonly node: ServerNode,
  ) {}

  /** Writes an update; null when the row is gone, or holds another key or a newer time by now. */
  update(write: DeviceWrite): Promise<WrittenDevice | null> {
    if (this.waiting.length >= MAXIMUM_WAITING) return Promise.reject(new Error('Too many device updates wait for the database.'));
    return new Promise((resolve, reject) => {
      this.add({ kind: 'update', deviceId: write.deviceId, write, settle: resolve, fail: reject });
    });
  }

  /**
   * Marks a device offline unless another connection took it over. It is tried until it is written, or until the service
   * stops: what is left then is marked at the next start. False when nothing was written.
   */
  disconnect(disconnect: DeviceDisconnect): Promise<boolean> {
    return new Promise((resolve) => {
      this.add({ kind: 'disconnect', deviceId: disconnect.deviceId, disconnect, settle: resolve });
    });
  }

  onModuleDestroy(): void {
    this.isStopping = true;
  }

  private add(entry: Waiting): void {
    this.waiting.push(entry);
    this.running ??= this.run();
  }

  private async run(): Promise<void> {
    // Let everything that arrived in this turn of the event loop share the first batch.
    await new Promise(setImmediate);
    while (this.waiting.length > 0) {
      const batch = this.takeBatch();
      try {
        await this.write(batch);
      } catch (error) {
        await this.writeOneByOne(batch, error);
      }
    }
    this.running = null;
  }

  /** The longest run of entries from the front of the queue, each device once; later entries of a device stay behind. */
  private takeBatch(): Waiting[] {
    const devices = new Set<string>();
    const batch: Waiting[] = [];
    const rest: Waiting[] = [];
    let at = 0;
    for (; at < this.waiting.length && batch.length < BATCH_SIZE; at += 1) {
      const entry = this.waiting[at];
      if (devices.has(entry.deviceId)) rest.push(entry);
      else batch.push(entry);
      devices.add(entry.deviceId);
    }
    this.waiting = rest.length === 0 ? this.waiting.slice(at) : [...rest, ...this.waiting.slice(at)];
    return batch;
  }

  private async write(batch: readonly Waiting[]): Promise<void> {
    const updates = batch.flatMap((entry) => (entry.kind === 'update' ? [entry.write] : []));
    const disconnects = batch.flatMap((entry) => (entry.kind === 'disconnect' ? [entry.disconnect] : []));
    const { updated, disconnected } = await this.repository.write(this.node.id, updates, disconnects);
    for (const entry of batch) {
      if (entry.kind === 'update') entry.settle(updated.get(entry.deviceId) ?? null);
      else entry.settle(disconnected.has(entry.deviceId));
    }
  }

  /** A bad row fails alone: after a failed batch each entry is written by itself. */
  private async writeOneByOne(batch: readonly Waiting[], batchError: unknown): Promise<void> {
    this.logger.warn(`A batch of ${batch.length} device updates failed and is written one by one: ${messageOf(batchError)}`);
    let databaseFailed = false;
    for (const entry of batch) {
      if (databaseFailed && entry.kind === 'update') {
        entry.fail(batchError);
        continue;
      }
      try {
        if (databaseFailed) throw batchError;
        await this.write([entry]);
      } catch (error) {
        if (entry.kind === 'update') entry.fail(error);
        else if (this.isStopping) entry.settle(false);
        else this.retryLater(entry);
        databaseFailed ||= isConnectionFailure(error);
      }
    }
  }

  private retryLater(entry: WaitingDisconnect): void {
    setTimeout(() => this.add(entry), RETRY_DELAY_MS).unref();
  }
}

/** Whether the database itself is away, so that trying the next row is pointless; not so for bad data, broken rules and deadlocks. */
function isConnectionFailure(error: unknown): boolean {
  return !/^(22|23|40)/.test(codeOf(error) ?? '');
}
