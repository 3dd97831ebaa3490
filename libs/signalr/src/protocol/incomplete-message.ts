/** Room for the start of a small message, so that the next pieces seldom need another buffer. */
const SMALLEST_CAPACITY = 256;

/**
 * The start of a message whose end has not arrived. Bytes are appended in place and the room doubles when it is used up,
 * so that a message in many small pieces costs no more than one in few.
 */
export class IncompleteMessage {
  #buffer: Buffer;
  #length: number;

  /** Copies `start`, which would otherwise keep the whole chunk of the socket alive. */
  constructor(start: Buffer) {
    this.#buffer = Buffer.allocUnsafeSlow(Math.max(start.length, SMALLEST_CAPACITY));
    this.#length = start.copy(this.#buffer);
  }

  get length(): number {
    return this.#length;
  }

  /** Adds what came next. @returns everything so far; valid until the next call */
  append(data: Buffer): Buffer {
    const length = this.#length + data.length;
    if (length > this.#buffer.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(length, this.#buffer.length * 2));
      this.#buffer.copy(larger, 0, 0, this.#length);
      this.#buffer = larger;
    }
    data.copy(this.#buffer, this.#length);
    this.#length = length;
    return this.#buffer.subarray(0, length);
  }
}
