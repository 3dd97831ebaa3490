/*
 * Frames of WebSockets (RFC 6455, section 5) in the form in which they travel: a header of two to fourteen bytes, then the payload.
 */

/** The kinds of frames. */
export const Opcode = { Continuation: 0, Text: 1, Binary: 2, Close: 8, Ping: 9, Pong: 10 } as const;

/** Set in the first byte of the last frame of a message. */
export const FINAL = 0x80;
/** Set in the second byte of a frame with a mask. */
export const MASKED = 0x80;
/** The most payload of a frame with a header of two bytes, and of any control frame. */
export const MAXIMUM_SHORT = 125;
/** In place of the length: it follows in two or in eight bytes. */
export const LENGTH_IN_2 = 126;
export const LENGTH_IN_8 = 127;
const MAXIMUM_IN_2 = 0xffff;
const TWO_TO_32 = 0x1_0000_0000;

/** Returns the size of the header of an unmasked frame with so many bytes of payload. */
export function headerSize(length: number): number {
  if (length <= MAXIMUM_SHORT) return 2;
  return length <= MAXIMUM_IN_2 ? 4 : 10;
}

/** Writes the header of an unmasked frame. `first` is its first byte. @returns the position behind it */
export function writeHeader(target: Uint8Array, at: number, first: number, length: number): number {
  target[at] = first;
  if (length <= MAXIMUM_SHORT) {
    target[at + 1] = length;
    return at + 2;
  }
  if (length <= MAXIMUM_IN_2) {
    target[at + 1] = LENGTH_IN_2;
    target[at + 2] = length >>> 8;
    target[at + 3] = length & 0xff;
    return at + 4;
  }
  target[at + 1] = LENGTH_IN_8;
  writeUint32(target, at + 2, Math.floor(length / TWO_TO_32));
  writeUint32(target, at + 6, length % TWO_TO_32);
  return at + 10;
}

function writeUint32(target: Uint8Array, at: number, value: number): void {
  target[at] = value >>> 24;
  target[at + 1] = (value >>> 16) & 0xff;
  target[at + 2] = (value >>> 8) & 0xff;
  target[at + 3] = value & 0xff;
}
