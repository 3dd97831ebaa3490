import { FINAL, Opcode, writeHeader } from '#libs/signalr/wire';

/** Reasons for closing a connection. */
export const CloseCode = {
  Normal: 1000,
  GoingAway: 1001,
  ProtocolError: 1002,
  InvalidPayload: 1007,
  TooBig: 1009,
  TryAgainLater: 1013,
} as const;

/** An error for bytes with which a client has broken the protocol. */
export class ProtocolViolation extends Error {
  constructor(
    message: string,
    readonly code: number = CloseCode.ProtocolError,
  ) {
    super(message);
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
