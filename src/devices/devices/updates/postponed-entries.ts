/** Delay before a device's row is tried again. */
const RETRY_DELAY_MS = 500;
/** Shortest time between two tries. When very many rows are held each of them waits longer, so that the tries cost the database little. */
const RETRY_PAUSE_MS = 50;
/** Entries of one device that may wait. A connection has one at a time, so only agents that keep reconnecting cause more. */
const MAXIMUM_LINE = 8;

interface Line<Entry> {
  /** In order of arrival; never empty. The first one is tried, the others wait for it. */
  readonly entries: Entry[];
  readonly retryAt: number;
}

/**
 * Entries that wait for rows held by other transactions: a line for each device, so that they keep their order. Has no timer; times are
 * milliseconds of one monotonic clock.
 */
export class PostponedEntries<Entry extends { readonly deviceId: string }> {
  /** In the order in which they are due: a device that is found held once more goes to the end. */
  private readonly lines = new Map<string, Line<Entry>>();
  private pauseUntil = 0;

  /** Number of waiting devices. */
  get deviceCount(): number {
    return this.lines.size;
  }

  /** Time at which the next devices are due; undefined when none waits. */
  get nextRetry(): number | undefined {
    const first = this.lines.values().next().value;
    return first === undefined ? undefined : Math.max(first.retryAt, this.pauseUntil);
  }

  /** Checks that the device waits; true also while its first entry is being tried. */
  has(deviceId: string): boolean {
    return this.lines.has(deviceId);
  }

  /** Checks that the device's line has its most entries. */
  isFull(deviceId: string): boolean {
    return (this.lines.get(deviceId)?.entries.length ?? 0) >= MAXIMUM_LINE;
  }

  /** Notes that the row of an entry was found held at `now`. The entry is the first of its device's line, which is opened if needed. */
  hold(entry: Entry, now: number): void {
    const entries = this.lines.get(entry.deviceId)?.entries ?? [entry];
    this.lines.delete(entry.deviceId);
    this.lines.set(entry.deviceId, { entries, retryAt: now + RETRY_DELAY_MS });
  }

  /** Adds an entry at the end of its device's line, which must exist. */
  append(entry: Entry): void {
    this.lines.get(entry.deviceId)?.entries.push(entry);
  }

  /** The first entries of the devices that are due, at most `limit`. They stay in their lines. */
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

  /** Closes the line of a device whose first entry was written or has failed, and returns the others; none when there is no line. */
  release(deviceId: string): Entry[] {
    const entries = this.lines.get(deviceId)?.entries ?? [];
    this.lines.delete(deviceId);
    return entries.slice(1);
  }

  /** Closes all lines and returns their entries. */
  clear(): Entry[] {
    const entries = [...this.lines.values()].flatMap((line) => line.entries);
    this.lines.clear();
    return entries;
  }
}
