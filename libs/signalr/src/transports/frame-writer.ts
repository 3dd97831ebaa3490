import type { Writable } from 'node:stream';
import type { Frame } from '../protocol/hub-protocol.js';
import { FINAL, Opcode, writeHeader } from '../wire/frames.js';

/** Room for the frames of all sockets in one turn. When it is full, they leave before the turn ends. */
const BUFFER_SIZE = 32_768;
/** Larger frames are not copied. */
const LARGE_FRAME = 8_192;
const MAXIMUM_HEADER_SIZE = 10;
/** While only one socket writes, so many of its frames leave together. */
const FRAMES_OF_ONE_SOCKET = 8;
/** The first byte of a message in one frame, by its kind of content. */
const FirstByte = { Text: FINAL | Opcode.Text, Binary: FINAL | Opcode.Binary } as const;

/**
 * Writes WebSocket frames to a socket. All frames of one turn of the event loop leave at its end with one system call, instead of one for
 * each frame. Small frames are put together in a buffer that all sockets share. The socket that writes first in a turn sends its first
 * frame at once, and others before the end, until another socket writes: a client that is alone reads while the rest is made.
 */
export class FrameWriter {
  /** The parts that wait for the end of the turn, besides the bytes from `#start` to `#end` of the shared buffer. */
  #parts: Buffer[] | undefined = undefined;
  #start = 0;
  #end = 0;
  #bytes = 0;
  /** The time since which the oldest of these frames has waited, if it has waited before this turn. */
  #oldest = Infinity;

  /** @param longestPauseMs a socket with bytes that have waited for longer is destroyed instead */
  constructor(
    private readonly socket: Writable,
    private readonly longestPauseMs = Infinity,
  ) {}

  /** The number of bytes that have not left the process. */
  get bufferedAmount(): number {
    return this.socket.writableLength + this.#bytes;
  }

  /** Writes a whole message as one frame. It has waited since then, by the monotonic clock in milliseconds; since this turn by default. */
  write(message: Frame, binary: boolean, since = Infinity): void {
    const length = typeof message === 'string' ? Buffer.byteLength(message) : message.length;
    const isLarge = length > LARGE_FRAME;
    const start = shared.reserve(MAXIMUM_HEADER_SIZE + (isLarge ? 0 : length));
    if (this.#parts === undefined) {
      this.#parts = [];
      shared.expect(this);
      this.#start = start;
    } else if (this.#end !== start) {
      // Another socket has written since.
      this.#closePart(this.#parts);
      this.#start = start;
    }
    this.#end = writeHeader(shared.buffer, start, binary ? FirstByte.Binary : FirstByte.Text, length);
    this.#bytes += this.#end - start + length;
    if (since < this.#oldest) this.#oldest = since;
    if (isLarge) {
      this.#closePart(this.#parts);
      this.#parts.push(typeof message === 'string' ? Buffer.from(message) : message);
    } else {
      if (typeof message === 'string') shared.buffer.write(message, this.#end, 'utf8');
      else shared.buffer.set(message, this.#end);
      this.#end += length;
    }
    shared.used = this.#end;
    shared.written(this);
  }

  /** Hands the waiting bytes to the socket. */
  flush(): void {
    const parts = this.#parts;
    if (parts === undefined) return;
    this.#closePart(parts);
    const oldest = this.#oldest;
    this.clear();
    const { socket } = this;
    if (!socket.writable) return;
    if (shared.isLate(this.longestPauseMs, oldest)) return void socket.destroy();
    // A socket keeps bytes that it cannot send yet. A few of them must not keep the whole shared buffer.
    const isCongested = socket.writableLength > 0;
    if (parts.length > 1) socket.cork();
    for (const part of parts) socket.write(isCongested && part.buffer === shared.buffer.buffer ? Buffer.from(part) : part);
    if (parts.length > 1) socket.uncork();
    if (!isCongested && socket.writableLength > 0) shared.isKept = true;
  }

  /** Drops the waiting bytes. */
  clear(): void {
    this.#parts = undefined;
    this.#start = this.#end;
    this.#bytes = 0;
    this.#oldest = Infinity;
  }

  #closePart(parts: Buffer[]): void {
    if (this.#end > this.#start) parts.push(shared.buffer.subarray(this.#start, this.#end));
    this.#start = this.#end;
  }
}

/** The buffer that all sockets share, and the sockets whose bytes wait in it for the end of the turn. */
class SharedBuffer {
  buffer = Buffer.allocUnsafeSlow(BUFFER_SIZE);
  used = 0;
  /** True if a socket still holds a part of the buffer, so that it cannot be used again. */
  isKept = false;
  #waiting: FrameWriter[] = [];
  #isFlushDue = false;
  /** The time of the first frame of this turn. */
  #beganAt = 0;
  /** The socket that was the first to write in this turn, and the number of its frames; none once another one has written. */
  #onlyWriter: FrameWriter | undefined;
  #framesOfOnlyWriter = 0;

  /** Makes room for `size` bytes, at most the size of the buffer. @returns where they go */
  reserve(size: number): number {
    if (this.used + size > BUFFER_SIZE) this.#flush();
    return this.used;
  }

  /** Flushes `writer` at the end of the turn. */
  expect(writer: FrameWriter): void {
    this.#waiting.push(writer);
    if (this.#isFlushDue) return;
    this.#isFlushDue = true;
    this.#beganAt = performance.now();
    this.#onlyWriter = writer;
    setImmediate(this.#endTurn);
  }

  /** True if what was written in this turn, or has waited since `oldest`, has waited for longer. */
  isLate(longestPauseMs: number, oldest: number): boolean {
    return longestPauseMs !== Infinity && performance.now() - Math.min(this.#beganAt, oldest) > longestPauseMs;
  }

  /** Flushes a socket that has written a frame before the end of the turn, if it is alone. */
  written(writer: FrameWriter): void {
    if (this.#onlyWriter === undefined) return;
    if (this.#onlyWriter !== writer) this.#onlyWriter = undefined;
    else if (this.#framesOfOnlyWriter++ % FRAMES_OF_ONE_SOCKET === 0) writer.flush();
  }

  readonly #endTurn = (): void => {
    this.#isFlushDue = false;
    this.#onlyWriter = undefined;
    this.#framesOfOnlyWriter = 0;
    this.#flush();
  };

  #flush(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const writer of waiting) writer.flush();
    if (this.isKept) this.buffer = Buffer.allocUnsafeSlow(BUFFER_SIZE);
    this.isKept = false;
    this.used = 0;
  }
}

const shared = new SharedBuffer();
