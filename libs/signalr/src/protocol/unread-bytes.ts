/** The smallest buffer in bytes: room for most messages, so that few need a second buffer. */
const SMALLEST_CAPACITY = 256;

/** A buffer is replaced by a smaller one when less than this part of it is in use. */
const SMALLEST_USE = 1 / 4;

/**
 * Bytes that wait to be read: the start of a message, or messages whose turn has not come. They are moved only when the
 * buffer is full or almost empty, so that many small pieces cost no more than one large piece. Bytes that were handed out
 * are never overwritten.
 */
export class UnreadBytes {
  #buffer: Buffer;
  #start = 0;
  #end: number;

  /** Copies `bytes`: to keep them would keep the whole chunk that came from the socket. */
  constructor(bytes: Buffer) {
    this.#buffer = Buffer.allocUnsafeSlow(Math.max(bytes.length, SMALLEST_CAPACITY));
    this.#end = bytes.copy(this.#buffer);
  }

  /** The memory that it takes, in bytes. */
  get capacity(): number {
    return this.#buffer.length;
  }

  get all(): Buffer {
    return this.#buffer.subarray(this.#start, this.#end);
  }

  append(bytes: Buffer): void {
    if (this.#end + bytes.length > this.#buffer.length) this.#moveTo(2 * (this.#end - this.#start + bytes.length));
    this.#end += bytes.copy(this.#buffer, this.#end);
  }

  /** Drops the first `count` bytes, which have been read. */
  drop(count: number): void {
    this.#start += count;
    const length = this.#end - this.#start;
    if (this.#buffer.length > SMALLEST_CAPACITY && length < this.#buffer.length * SMALLEST_USE) this.#moveTo(length);
  }

  #moveTo(capacity: number): void {
    const buffer = Buffer.allocUnsafeSlow(Math.max(capacity, SMALLEST_CAPACITY));
    this.#end = this.#buffer.copy(buffer, 0, this.#start, this.#end);
    this.#start = 0;
    this.#buffer = buffer;
  }
}
