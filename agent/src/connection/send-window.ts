/** As much may be under way however slow the reader is: two pieces of a file. */
const SMALLEST_BYTES = 64 * 1024;
const FIRST_BYTES = 256 * 1024;
/** Enough for a reader of 80 MB/s whose answers take 100 ms. */
const LARGEST_BYTES = 8 * 1024 * 1024;
/** How much longer than on an idle connection anything may take to arrive because of what streams have under way. */
const TOLERATED_DELAY_MS = 300;

interface Mark {
  /** Bytes sent before it. */
  readonly position: number;
  readonly sentAt: number;
}

/**
 * How much streams may have under way: sent, but not taken by the other end. Marks between the bytes come back once everything
 * before them was taken, and tell how long that took. A reader that is slow makes the window small, so that
 * whatever else shares the connection waits a moment and not as long as the buffers on the way are deep.
 *
 * Times are milliseconds of a clock that never goes back.
 */
export class SendWindow {
  private size = FIRST_BYTES;
  private sent = 0;
  private taken = 0;
  private marks: Mark[] = [];
  private fastestMs = Number.POSITIVE_INFINITY;
  private wasFull = false;

  /** Counts what is sent. */
  add(bytes: number): void {
    this.sent += bytes;
  }

  /** Whether streams must wait before they send more. */
  get isFull(): boolean {
    const full = this.sent - this.taken >= this.size;
    this.wasFull ||= full;
    return full;
  }

  /**
   * The position of a mark that should be sent now; undefined when those under way will do. To be asked once while the
   * connection is idle, so that it is known how long the way alone takes.
   */
  nextMark(now: number): number | undefined {
    const last = this.marks.at(-1);
    const isFirst = last === undefined && this.fastestMs === Number.POSITIVE_INFINITY;
    const isDue = this.sent - (last?.position ?? this.taken) >= this.size / 2 || (last === undefined && this.isFull);
    if (!isFirst && !isDue) return undefined;
    this.marks.push({ position: this.sent, sentAt: now });
    return this.sent;
  }

  /** A mark came back. Unknown ones are ignored: the other end may send such messages by itself. */
  returned(position: number, now: number): void {
    const index = this.marks.findIndex((mark) => mark.position === position);
    const mark = this.marks[index];
    if (mark === undefined) return;
    this.marks = this.marks.slice(index + 1);
    this.taken = position;
    const tookMs = now - mark.sentAt;
    this.fastestMs = Math.min(this.fastestMs, tookMs);
    if (tookMs > this.fastestMs + TOLERATED_DELAY_MS) this.size = Math.max(SMALLEST_BYTES, this.size / 2);
    else if (this.wasFull) this.size = Math.min(LARGEST_BYTES, this.size * 2);
    this.wasFull = false;
  }
}
