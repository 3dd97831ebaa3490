/** Room for the start of a small message, so that the next pieces seldom need another buffer. */
const SMALLEST_CAPACITY = 256;

/** Less of the room in use than this, and it is given back. */
const SMALLEST_USE = 1 / 4;

/**
 * Bytes that wait to be read: the start of a message whose end has not arrived, or messages whose turn has not come. They
 * are moved only when the room is used up or mostly empty, so that many small pieces cost no more than one large piece,
 * whether they come or go. Bytes that were handed out are never written again.
 */
export class UnreadBytes {
  #buffer: Buffer;
  #start = 0;
  #end: number;

  /** Copies `bytes`, which would otherwise keep the whole chunk of the socket alive. */
  constructor(bytes: Buffer) {
    this.#buffer = Buffer.allocUnsafeSlow(Math.max(bytes.length, SMALLEST_CAPACITY));
    this.#end = bytes.copy(this.#buffer);
  }

  get all(): Buffer {
    return this.#buffer.subarray(this.#start, this.#end);
  }

  append(bytes: Buffer): void {
    if (this.#end + bytes.length > this.#buffer.length) this.#moveTo(2 * (this.#end - this.#start + bytes.length));
    this.#end += bytes.copy(this.#buffer, this.#end);
  }

  /** The first `count` bytes have been read. */
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
