import type { Frame } from '../../protocol/hub-protocol.js';

/** The size of the memory that small frames share, in bytes. */
const CHUNK_SIZE = 2_048;

/**
 * Memory for the frames that are kept for one client. Encoders write the messages to all clients one behind the other into the same memory,
 * so that a small frame that is kept would hold what was sent to others.
 */
export class KeptMemory {
  #chunk: Buffer | undefined = undefined;
  #used = 0;

  /** The frame, or a copy if it takes less than half of the memory that it keeps alive. */
  own(frame: Frame): Frame {
    if (typeof frame === 'string' || 2 * frame.length >= frame.buffer.byteLength) return frame;
    const { length } = frame;
    if (this.#chunk === undefined || this.#used + length > this.#chunk.length) {
      this.#chunk = Buffer.allocUnsafeSlow(Math.max(CHUNK_SIZE, length));
      this.#used = 0;
    }
    const start = this.#used;
    this.#used += frame.copy(this.#chunk, start);
    return this.#chunk.subarray(start, this.#used);
  }

  /** Lets go of the memory once no frame is kept: most clients have nothing to send most of the time. */
  release(): void {
    this.#chunk = undefined;
  }
}
