/** UTF-8 takes at most three bytes for each UTF-16 code unit. */
const BYTES_PER_UNIT = 3;

/** The memory that a writer writes to. Node.js has buffers, which take text faster than the arrays that browsers have as well. */
export interface Memory<Bytes extends Uint8Array> {
  /** Returns new memory. Its bytes may have any value. */
  allocate(size: number): Bytes;
  /** Returns the bytes from `start` to `end`, without copying them. */
  part(bytes: Bytes, start: number, end: number): Bytes;
  /** Returns a number of bytes in which a text has room as UTF-8. */
  roomFor(text: string): number;
  /** Writes a text as UTF-8 at `position`, where it has room. @returns the number of its bytes */
  write(text: string, bytes: Bytes, position: number): number;
}

const encoder = new TextEncoder();

/** The memory of browsers, and of programs that use no buffers. */
export const plainMemory: Memory<Uint8Array> = {
  allocate: (size) => new Uint8Array(size),
  part: (bytes, start, end) => bytes.subarray(start, end),
  roomFor: (text) => text.length * BYTES_PER_UNIT,
  write: (text, bytes, position) => encoder.encodeInto(text, bytes.subarray(position)).written,
};
