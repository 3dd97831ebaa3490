const SIZE = 65_536;
/** With less room than this, the next buffer is begun: a read of a few bytes costs as much as a large one. */
const LEAST_ROOM = 32_768;
/** Most buffers that are kept. */
const MAXIMUM = 16;

/**
 * The buffers into which one socket is read. They are used again as soon as the bytes read before are not needed any more. Where that moment
 * does not come, because the other side is always a little behind, new ones take the place of those that are kept.
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
      if (this.index === MAXIMUM) this.startOver();
    }
    return (this.buffers[this.index] ??= Buffer.allocUnsafeSlow(SIZE)).subarray(this.filled);
  }

  /** Leaves all buffers to those that still need bytes of them. */
  private startOver(): void {
    this.buffers.length = 0;
    this.index = 0;
  }

  /** Takes the bytes that were read into the room that was given last. */
  take(room: Buffer, length: number): Buffer {
    this.filled += length;
    return room.subarray(0, length);
  }
}
