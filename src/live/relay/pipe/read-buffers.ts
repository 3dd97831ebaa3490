const SIZE = 65_536;
/** With less room than this, the next buffer is begun: a read of a few bytes costs as much as a large one. */
const LEAST_ROOM = 32_768;

/**
 * The buffers into which one socket is read. They are used again as soon as the bytes read before are not needed any more. Their number is
 * bounded by the bytes that have not been passed on, if the socket is not read while those are many.
 */
export class ReadBuffers {
  private readonly buffers: Buffer[] = [];
  /** The buffer that is being filled, and how far it is. */
  private index = 0;
  private filled = 0;

  /** Room for the next read. `areFree` is true when no earlier bytes are needed any more. */
  next(areFree: boolean): Buffer {
    if (areFree) {
      this.index = 0;
      this.filled = 0;
    } else if (SIZE - this.filled < LEAST_ROOM) {
      this.index += 1;
      this.filled = 0;
    }
    return (this.buffers[this.index] ??= Buffer.allocUnsafeSlow(SIZE)).subarray(this.filled);
  }

  /** Takes the bytes that were read into the room that was given last. */
  take(room: Buffer, length: number): Buffer {
    this.filled += length;
    return room.subarray(0, length);
  }
}
