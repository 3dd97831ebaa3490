/** How long a device waits before its row, which another transaction holds, is tried again. */
const RETRY_DELAY_MS = 500;
/** Shortest time between two tries: when very many rows are held, each waits longer, and the database has little to do with them. */
const RETRY_PAUSE_MS = 50;
/** Entries of one device that may wait. One connection has one at a time, so that more come only of agents that keep reconnecting. */
const MAXIMUM_LINE = 8;

interface Line<Entry> {
  /** In the order they came; never empty. The first one is the one that is tried. */
  readonly entries: Entry[];
  readonly retryAt: number;
}

/**
 * What waits for rows that other transactions hold: a line for each device, so that its entries keep their order. Knows
 * nothing of what it keeps and has no timer; times are milliseconds of one monotonic clock.
 */
export class HeldBack<Entry extends { readonly deviceId: string }> {
  /** Ordered by the time to try again: who is held once more goes to the end. */
  private readonly lines = new Map<string, Line<Entry>>();
  private pauseUntil = 0;

  /** How many devices wait. */
  get deviceCount(): number {
    return this.lines.size;
  }

  /** When the next devices are to be tried; undefined when none waits. */
  get nextRetry(): number | undefined {
    const first = this.lines.values().next().value;
    return first === undefined ? undefined : Math.max(first.retryAt, this.pauseUntil);
  }

  /** Whether the device waits, also while its first entry is being tried. */
  has(deviceId: string): boolean {
    return this.lines.has(deviceId);
  }

  /** Whether the device has as many entries waiting as it may. */
  isFull(deviceId: string): boolean {
    return (this.lines.get(deviceId)?.entries.length ?? 0) >= MAXIMUM_LINE;
  }

  /** The row of the entry was found held at `now`: opens a line with it, or leaves it at the head of the one it came from. */
  hold(entry: Entry, now: number): void {
    const entries = this.lines.get(entry.deviceId)?.entries ?? [entry];
    this.lines.delete(entry.deviceId);
    this.lines.set(entry.deviceId, { entries, retryAt: now + RETRY_DELAY_MS });
  }

  /** Puts an entry behind the others of its device, which must be waiting. */
  append(entry: Entry): void {
    this.lines.get(entry.deviceId)?.entries.push(entry);
  }

  /** The first entries of devices whose time has come, at most `limit`. They stay at the head of their lines. */
  due(now: number, limit: number): Entry[] {
    const due: Entry[] = [];
    if (now < this.pauseUntil) return due;
    for (const { entries, retryAt } of this.lines.values()) {
      if (retryAt > now || due.length >= limit) break;
      due.push(entries[0]);
    }
    if (due.length > 0) this.pauseUntil = now + RETRY_PAUSE_MS;
    return due;
  }

  /** The first entry of the device is done with: closes the line and gives the others. Nothing when the device does not wait. */
  release(deviceId: string): Entry[] {
    const entries = this.lines.get(deviceId)?.entries ?? [];
    this.lines.delete(deviceId);
    return entries.slice(1);
  }

  /** Closes all lines and gives everything that waited. */
  clear(): Entry[] {
    const entries = [...this.lines.values()].flatMap((line) => line.entries);
    this.lines.clear();
    return entries;
  }
}
