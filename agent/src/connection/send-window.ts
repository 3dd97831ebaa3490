/** Bytes that may always be in flight, however slow the reader is: two pieces of a file. */
const SMALLEST_BYTES = 64 * 1024;
const FIRST_BYTES = 256 * 1024;
/** Most bytes in flight: enough for a reader of 80 MB/s with a round trip of 100 ms. */
const LARGEST_BYTES = 8 * 1024 * 1024;
/** Longest delay of a message by the bytes that streams have in flight, against an idle connection, in milliseconds. */
const TOLERATED_DELAY_MS = 300;

interface Mark {
  /** Bytes sent before it. */
  readonly position: number;
  readonly sentAt: number;
}

/**
 * Limit of the bytes that streams have in flight: sent, but not read by the other end. Marks between the bytes come back once everything
 * before them has been read, and tell the time that took. A slow reader makes the window small, so that other messages on the
 * connection wait a moment only, and not until deep network buffers have drained.
 *
 * Times are milliseconds of a monotonic clock.
 */
export class SendWindow {
  private size = FIRST_BYTES;
  private sent = 0;
  private taken = 0;
  private marks: Mark[] = [];
  private fastestMs = Number.POSITIVE_INFINITY;
  private wasFull = false;

  /** Counts sent bytes. */
  add(bytes: number): void {
    this.sent += bytes;
  }

  /** True if streams must wait before they send more. */
  get isFull(): boolean {
    const full = this.sent - this.taken >= this.size;
    this.wasFull ||= full;
    return full;
  }

  /**
   * The position of a mark that should be sent now; undefined when the marks in flight suffice. Called once while the connection
   * is idle, to measure the bare round trip.
   */
  nextMark(now: number): number | undefined {
    const last = this.marks.at(-1);
    const isFirst = last === undefined && this.fastestMs === Number.POSITIVE_INFINITY;
    const isDue = this.sent - (last?.position ?? this.taken) >= this.size / 2 || (last === undefined && this.isFull);
    if (!isFirst && !isDue) return undefined;
    this.marks.push({ position: this.sent, sentAt: now });
    return this.sent;
  }

  /** A mark came back. Unknown marks are ignored, because the other end may send such messages by itself. */
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
