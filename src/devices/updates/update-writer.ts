import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';

import { messageOf } from '../../common/errors.js';
import { codeOf } from '../../common/system-error.js';
import { ServerNode } from '../../server/server-node.js';
import { HeldBack } from './held-back.js';
import {
  UpdateWriterRepository,
  type DeviceBatch,
  type DeviceDisconnect,
  type DeviceWrite,
  type WrittenBatch,
  type WrittenDevice,
} from './update-writer.repository.js';

/** Most new entries of one batch, and most that are tried again: larger ones only make the first of them wait. */
const BATCH_SIZE = 500;
/** Updates that may wait; beyond it they are refused, so that a dead database does not fill the memory. */
const MAXIMUM_WAITING = 100_000;
/** How long a disconnect waits before it is tried again after the database failed. */
const DISCONNECT_RETRY_MS = 1_000;

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
 *
 * A row that another transaction holds delays its own device only. The batch that meets the first one waits for it a moment
 * and is then written without it; while any device is held back, no batch waits for a row.
 */
@Injectable()
export class UpdateWriter implements OnModuleDestroy {
  private readonly logger = new Logger('UpdateWriter');
  private waiting: Waiting[] = [];
  private readonly heldBack = new HeldBack<Waiting>();
  private retry: NodeJS.Timeout | undefined;
  /** Most devices that were held back at once since the first of them was; 0 when none is. */
  private mostHeldBack = 0;
  private running: Promise<void> | null = null;
  private isStopping = false;

  constructor(
    private readonly repository: UpdateWriterRepository,
    private readonly node: ServerNode,
  ) {}

  /**
   * Writes an update; null when the row is gone, or holds another key or a newer time by now. Takes as long as another
   * transaction holds the row. Rejects when the database fails, when too many updates wait already, and for a row that is
   * still held when the service stops.
   */
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

  /** What waits for held rows is given up: whoever holds them may do so for longer than a supervisor waits. */
  onModuleDestroy(): void {
    this.isStopping = true;
    clearTimeout(this.retry);
    this.mostHeldBack = 0;
    for (const entry of this.heldBack.clear()) giveUp(entry);
  }

  private add(entry: Waiting): void {
    this.waiting.push(entry);
    this.start();
  }

  private start(): void {
    this.running ??= this.run();
  }

  private async run(): Promise<void> {
    // Let everything that arrived in this turn of the event loop share the first batch.
    await new Promise(setImmediate);
    for (let batch = this.takeBatch(); batch.length > 0; batch = this.takeBatch()) {
      try {
        this.settle(batch, await this.write(batch));
      } catch (error) {
        await this.writeOneByOne(batch, error);
      }
      this.tellOfHeldRows();
    }
    this.running = null;
    this.retryHeldRows();
  }

  /**
   * The longest run of entries from the front of the queue, each device once; later entries of a device stay behind, those of
   * a device that is held back join its line. With them go the held ones whose time has come.
   */
  private takeBatch(): Waiting[] {
    const batch = this.heldBack.due(performance.now(), BATCH_SIZE);
    const devices = new Set<string>();
    const rest: Waiting[] = [];
    let at = 0;
    for (; at < this.waiting.length && devices.size < BATCH_SIZE; at += 1) {
      const entry = this.waiting[at];
      if (this.heldBack.has(entry.deviceId)) this.queueUp(entry);
      else if (devices.has(entry.deviceId)) rest.push(entry);
      else {
        devices.add(entry.deviceId);
        batch.push(entry);
      }
    }
    this.waiting = rest.length === 0 ? this.waiting.slice(at) : [...rest, ...this.waiting.slice(at)];
    return batch;
  }

  /** Nothing stands for a disconnect that is not kept; an agent whose update is refused reports again. */
  private queueUp(entry: Waiting): void {
    if (entry.kind === 'update' && this.heldBack.isFull(entry.deviceId)) {
      entry.fail(new Error('Too many updates of the device wait for its row, which another transaction holds.'));
    } else {
      this.heldBack.append(entry);
    }
  }

  private write(batch: readonly Waiting[]): Promise<WrittenBatch> {
    const parts = partsOf(batch);
    return this.heldBack.deviceCount === 0
      ? this.repository.write(this.node.id, parts)
      : this.repository.writeUnlocked(this.node.id, parts);
  }

  private settle(batch: readonly Waiting[], { updated, disconnected, locked }: WrittenBatch): void {
    const now = performance.now();
    for (const entry of batch) {
      if (locked.has(entry.deviceId)) {
        if (this.isStopping) giveUp(entry);
        else this.heldBack.hold(entry, now);
      } else if (entry.kind === 'update') entry.settle(updated.get(entry.deviceId) ?? null);
      else entry.settle(disconnected.has(entry.deviceId));
    }
    this.release(batch.filter(({ deviceId }) => !locked.has(deviceId)));
  }

  /** What waited behind the entries goes to the front of the queue: later entries of the same devices may stand there already. */
  private release(done: readonly Waiting[]): void {
    if (this.heldBack.deviceCount === 0) return;
    const next = done.flatMap(({ deviceId }) => this.heldBack.release(deviceId));
    if (next.length > 0) this.waiting = [...next, ...this.waiting];
  }

  /** A bad row fails alone: after a failed batch each entry is written by itself. */
  private async writeOneByOne(batch: readonly Waiting[], batchError: unknown): Promise<void> {
    this.logger.warn(`A batch of ${batch.length} device updates failed and is written one by one: ${messageOf(batchError)}`);
    let databaseFailed = false;
    for (const entry of batch) {
      try {
        if (databaseFailed) throw batchError;
        this.settle([entry], await this.repository.writeUnlocked(this.node.id, partsOf([entry])));
      } catch (error) {
        this.fail(entry, error);
        databaseFailed ||= isConnectionFailure(error);
      }
    }
  }

  private fail(entry: Waiting, error: unknown): void {
    if (entry.kind === 'update') entry.fail(error);
    else if (this.isStopping) giveUp(entry);
    else setTimeout(() => this.add(entry), DISCONNECT_RETRY_MS).unref();
    this.release([entry]);
  }

  private retryHeldRows(): void {
    clearTimeout(this.retry);
    const { nextRetry } = this.heldBack;
    if (nextRetry !== undefined) this.retry = setTimeout(() => this.start(), Math.max(0, nextRetry - performance.now())).unref();
  }

  /** Once when devices begin to be held back, and once when none is any more. */
  private tellOfHeldRows(): void {
    const { deviceCount } = this.heldBack;
    if (deviceCount > 0 && this.mostHeldBack === 0) {
      this.logger.warn(
        `Another transaction holds rows of devices, ${deviceCount} so far: reports of these devices wait until it ends, all others go on. ` +
          'pg_stat_activity shows it by its xact_start.',
      );
    } else if (deviceCount === 0 && this.mostHeldBack > 0) {
      this.logger.log(`No report waits for a held row any more; those of ${this.mostHeldBack} devices did at once.`);
    }
    this.mostHeldBack = deviceCount === 0 ? 0 : Math.max(this.mostHeldBack, deviceCount);
  }
}

function partsOf(batch: readonly Waiting[]): DeviceBatch {
  return {
    updates: batch.flatMap((entry) => (entry.kind === 'update' ? [entry.write] : [])),
    disconnects: batch.flatMap((entry) => (entry.kind === 'disconnect' ? [entry.disconnect] : [])),
  };
}

function giveUp(entry: Waiting): void {
  if (entry.kind === 'update') entry.fail(new Error('The service stops while another transaction holds the row of the device.'));
  else entry.settle(false);
}

/** Whether the database itself is away, so that trying the next row is pointless; not so for bad data, broken rules, deadlocks and held locks. */
function isConnectionFailure(error: unknown): boolean {
  return !/^(22|23|40|55P03)/.test(codeOf(error) ?? '');
}
