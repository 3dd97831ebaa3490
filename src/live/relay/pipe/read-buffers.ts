const SIZE = 65_536;
/** With less room than this, the next buffer is begun: a read of a few bytes costs as much as a large one. */
const LEAST_ROOM = 32_768;

/**
 * The buffers into which one socket is read. They are used again as soon as nobody needs what was read before. There are as many as hold
 * what has not been passed on, as long as the socket is not read while that is much.
 */
export class ReadBuffers {
  private readonly buffers: Buffer[] = [];
  /** The buffer that is being filled, and how far it is. */
  private index = 0;
  private filled = 0;

  /** Room for the next read. `areFree` says that nobody needs anything that was read before. */
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

  /** Takes what was read into the room that was given last. */
  take(room: Buffer, length: number): Buffer {
    this.filled += length;
    return room.subarray(0, length);
  }
}
