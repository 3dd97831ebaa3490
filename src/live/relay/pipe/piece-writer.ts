import type { Writable } from 'node:stream';

import { FINAL, headerSize, Opcode, writeHeader } from '#libs/signalr/wire';

/** Pieces up to this size are moved together, because one write costs more than moving them. */
const MAXIMUM_MOVED = 1_024;

/**
 * Writes pieces of messages into a socket, each as a frame of its own, so that other frames may follow any of them. The frames are
 * built within the chunk that the pieces came in: a header without a mask is shorter than the one that was there.
 */
export class PieceWriter {
  private chunk: Buffer = Buffer.alloc(0);
  /** The frames that are built and not yet written begin here ... */
  private from = 0;
  /** ... and end here. Bytes before them have been written and must not be changed any more. */
  private to = 0;

  constructor(private readonly socket: Writable) {}

  /** Begins a chunk, whose pieces follow. The socket sends nothing until {@link end}. */
  begin(chunk: Buffer): void {
    this.chunk = chunk;
    this.from = 0;
    this.to = 0;
    this.socket.cork();
  }

  /** Writes the bytes of the chunk from `start` to `end`. */
  piece(start: number, end: number, isFirst: boolean, isLast: boolean): void {
    const length = end - start;
    const size = headerSize(length);
    const first = firstByte(isFirst, isLast);
    const hasRoom = start - this.to >= size;
    if (hasRoom && this.to > this.from && length <= MAXIMUM_MOVED) {
      writeHeader(this.chunk, this.to, first, length);
      this.chunk.copyWithin(this.to + size, start, end);
      this.to += size + length;
      return;
    }
    this.flush();
    if (hasRoom) {
      this.from = start - size;
      writeHeader(this.chunk, this.from, first, length);
    } else {
      const header = Buffer.allocUnsafe(size);
      writeHeader(header, 0, first, length);
      this.socket.write(header);
      this.from = start;
    }
    this.to = end;
  }

  /** Writes bytes that are not of the chunk, behind the pieces that came before. Within a chunk or between two. */
  keptPiece(bytes: Uint8Array, isFirst: boolean, isLast: boolean): void {
    this.flush();
    const size = headerSize(bytes.length);
    const frame = Buffer.allocUnsafe(size + bytes.length);
    writeHeader(frame, 0, firstByte(isFirst, isLast), bytes.length);
    frame.set(bytes, size);
    if (this.socket.writable) this.socket.write(frame);
  }

  /** Sends the rest of the chunk. */
  end(): void {
    this.flush();
    this.chunk = Buffer.alloc(0);
    this.socket.uncork();
  }

  private flush(): void {
    if (this.to > this.from) this.socket.write(this.chunk.subarray(this.from, this.to));
    this.from = this.to;
  }
}

/** The first byte of the frame of a piece. Messages leave as binary ones. */
function firstByte(isFirst: boolean, isLast: boolean): number {
  return (isLast ? FINAL : 0) | (isFirst ? Opcode.Binary : Opcode.Continuation);
}
