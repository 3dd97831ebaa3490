import { PostponedEntries } from './postponed-entries.js';
import type { WaitingWrite } from './waiting-write.js';

/** Most new entries of one batch, and most that are tried again with it: larger batches only make their first entry wait. */
export const BATCH_SIZE = 500;

/**
 * The order in which device writes go to the database. Entries of one device keep their order, so a batch has at most one of each
 * device. A device whose row another transaction holds leaves the queue, and its entries wait in a line of their own. Has no timer
 * and no database; times are milliseconds of one monotonic clock.
 */
export class WriteQueue {
  private waiting: WaitingWrite[] = [];
  private readonly postponed = new PostponedEntries<WaitingWrite>();

  /** Number of waiting entries, those of held devices not counted. */
  get length(): number {
    return this.waiting.length;
  }

  /** Number of devices that are held back. */
  get heldDeviceCount(): number {
    return this.postponed.deviceCount;
  }

  /** Time at which the next held device is to be tried again; undefined when none is held back. */
  get nextRetry(): number | undefined {
    return this.postponed.nextRetry;
  }

  /** Adds an entry at the end. */
  add(entry: WaitingWrite): void {
    this.waiting.push(entry);
  }

  /**
   * Takes the next batch: the held entries that are due for another try, and the longest run of entries from the front of the
   * queue. Skips later entries of a device that the batch has already, and moves entries of held devices to their lines.
   */
  take(now: number): WaitingWrite[] {
    const batch = this.postponed.due(now, BATCH_SIZE);
    const devices = new Set<string>();
    const skipped: WaitingWrite[] = [];
    let at = 0;
    for (; at < this.waiting.length && devices.size < BATCH_SIZE; at += 1) {
      const entry = this.waiting[at];
      if (this.postponed.has(entry.deviceId)) this.lineUp(entry);
      else if (devices.has(entry.deviceId)) skipped.push(entry);
      else {
        devices.add(entry.deviceId);
        batch.push(entry);
      }
    }
    this.waiting = skipped.length === 0 ? this.waiting.slice(at) : [...skipped, ...this.waiting.slice(at)];
    return batch;
  }

  /** Holds the device of a taken entry back: its row was found held at `now`. */
  hold(entry: WaitingWrite, now: number): void {
    this.postponed.hold(entry, now);
  }

  /**
   * Notes that taken entries were written or have failed. The entries behind them go to the front of the queue, ahead of entries of the
   * same devices that came later.
   */
  finish(entries: readonly WaitingWrite[]): void {
    if (this.postponed.deviceCount === 0) return;
    const next = entries.flatMap(({ deviceId }) => this.postponed.release(deviceId));
    if (next.length > 0) this.waiting = [...next, ...this.waiting];
  }

  /** Removes and returns all entries of held devices. */
  clearHeld(): WaitingWrite[] {
    return this.postponed.clear();
  }

  /** Refuses an update when the line of its device is full: the agent sends another. A disconnect always waits, as nothing repeats it. */
  private lineUp(entry: WaitingWrite): void {
    if (entry.kind === 'update' && this.postponed.isFull(entry.deviceId)) {
      entry.fail(new Error('Too many updates of the device wait for its row, which another transaction holds.'));
    } else {
      this.postponed.append(entry);
    }
  }
}
