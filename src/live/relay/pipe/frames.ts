/*
 * Frames of WebSockets (RFC 6455, section 5) in the form in which they travel: a header of two to fourteen bytes, then the payload.
 */

/** The kinds of frames. */
export const Opcode = { Continuation: 0, Text: 1, Binary: 2, Close: 8, Ping: 9, Pong: 10 } as const;

/** Reasons for closing a connection. */
export const CloseCode = { Normal: 1000, GoingAway: 1001, ProtocolError: 1002, TooBig: 1009 } as const;

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

/** An error for bytes with which a client has broken the protocol. */
export class ProtocolViolation extends Error {
  constructor(
    message: string,
    readonly code: number = CloseCode.ProtocolError,
  ) {
    super(message);
  }
}

/** The bytes of the header of an unmasked frame with so much payload. */
export function headerSize(length: number): number {
  if (length <= MAXIMUM_SHORT) return 2;
  return length <= MAXIMUM_IN_2 ? 4 : 10;
}

/** Writes the header of an unmasked frame. `first` is its first byte. */
export function writeHeader(target: Buffer, at: number, first: number, length: number): void {
  target[at] = first;
  if (length <= MAXIMUM_SHORT) target[at + 1] = length;
  else if (length <= MAXIMUM_IN_2) {
    target[at + 1] = LENGTH_IN_2;
    target.writeUInt16BE(length, at + 2);
  } else {
    target[at + 1] = LENGTH_IN_8;
    target.writeUInt32BE(Math.floor(length / TWO_TO_32), at + 2);
    target.writeUInt32BE(length % TWO_TO_32, at + 6);
  }
}

/** A whole control frame. */
export function controlFrame(opcode: number, payload: Uint8Array = Buffer.alloc(0)): Buffer {
  const frame = Buffer.allocUnsafe(2 + payload.length);
  writeHeader(frame, 0, FINAL | opcode, payload.length);
  frame.set(payload, 2);
  return frame;
}

/** A close frame with its code and text. */
export function closeFrame(code: number, text: string): Buffer {
  const payload = Buffer.allocUnsafe(2 + Buffer.byteLength(text));
  payload.writeUInt16BE(code);
  payload.write(text, 2);
  return controlFrame(Opcode.Close, payload);
}
