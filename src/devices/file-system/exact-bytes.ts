import { DomainError, ErrorCode } from '../../platform/common/errors/errors.js';

/**
 * Passes on exactly `length` bytes, or fails. The last piece is held back until the stream ends: after a reader has
 * received the announced length, it could no longer be told that the device sent too much.
 */
export async function* exactBytes(pieces: AsyncIterable<Uint8Array>, length: number): AsyncIterable<Uint8Array> {
  let total = 0;
  let held: Uint8Array | undefined;
  for await (const piece of pieces) {
    total += piece.length;
    if (total > length) throw new DomainError(ErrorCode.BadGateway, 'The device sent more than it announced.');
    if (piece.length === 0) continue;
    if (held !== undefined) yield held;
    held = piece;
  }
  if (total < length) throw new DomainError(ErrorCode.BadGateway, 'The device sent less than it announced.');
  if (held !== undefined) yield held;
}
