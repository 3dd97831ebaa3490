import { ProtocolError } from './messages.js';

/** How deep arrays and maps may be nested. */
const MAXIMUM_DEPTH = 64;

/** The only MessagePack extension that SignalR uses. */
const TIMESTAMP_EXTENSION = 0xff;

/**
 * Walks over one MessagePack value without building it. Only what passes here reaches the decoder: it is complete, not nested
 * too deep, has no extensions but timestamps, and announces no more items or bytes than there are.
 * @returns the position after the value
 * @throws ProtocolError at the first byte that breaks one of these rules
 */
export function skipValue(data: Buffer, start: number, end: number, depth = 0): number {
  if (start >= end) throw incomplete();
  if (depth > MAXIMUM_DEPTH) throw new ProtocolError(`The message is nested deeper than ${MAXIMUM_DEPTH} levels.`);
  const token = data.readUInt8(start);
  const next = start + 1;

  if (token < 0x80 || token >= 0xe0) return next;
  if (token < 0x90) return skipValues(data, next, end, (token & 0x0f) * 2, depth);
  if (token < 0xa0) return skipValues(data, next, end, token & 0x0f, depth);
  if (token < 0xc0) return within(next + (token & 0x1f), end);

  switch (token) {
    case 0xc0: // nil
    case 0xc2: // false
    case 0xc3: // true
      return next;
    case 0xc4: // bin 8, str 8
    case 0xd9:
      return within(next + 1 + length8(data, next, end), end);
    case 0xc5: // bin 16, str 16
    case 0xda:
      return within(next + 2 + length16(data, next, end), end);
    case 0xc6: // bin 32, str 32
    case 0xdb:
      return within(next + 4 + length32(data, next, end), end);
    case 0xcc: // uint 8, int 8
    case 0xd0:
      return within(next + 1, end);
    case 0xcd: // uint 16, int 16
    case 0xd1:
      return within(next + 2, end);
    case 0xca: // float 32, uint 32, int 32
    case 0xce:
    case 0xd2:
      return within(next + 4, end);
    case 0xcb: // float 64, uint 64, int 64
    case 0xcf:
    case 0xd3:
      return within(next + 8, end);
    case 0xd6: // fixext 4, fixext 8: timestamps
      return skipTimestamp(data, next, end, 4);
    case 0xd7:
      return skipTimestamp(data, next, end, 8);
    case 0xc7: // ext 8
      if (length8(data, next, end) !== 12) throw unknownExtension();
      return skipTimestamp(data, next + 1, end, 12);
    case 0xdc: // array 16
      return skipValues(data, next + 2, end, length16(data, next, end), depth);
    case 0xdd: // array 32
      return skipValues(data, next + 4, end, length32(data, next, end), depth);
    case 0xde: // map 16
      return skipValues(data, next + 2, end, length16(data, next, end) * 2, depth);
    case 0xdf: // map 32
      return skipValues(data, next + 4, end, length32(data, next, end) * 2, depth);
    default:
      throw unknownExtension();
  }
}

function skipValues(data: Buffer, start: number, end: number, count: number, depth: number): number {
  // Every value takes at least one byte, so a larger count cannot be true.
  if (count > end - start) throw incomplete();
  let position = start;
  for (let index = 0; index < count; index++) position = skipValue(data, position, end, depth + 1);
  return position;
}

function skipTimestamp(data: Buffer, start: number, end: number, size: number): number {
  const next = within(start + 1 + size, end);
  if (data[start] !== TIMESTAMP_EXTENSION) throw unknownExtension();
  return next;
}

function length8(data: Buffer, position: number, end: number): number {
  within(position + 1, end);
  return data.readUInt8(position);
}

function length16(data: Buffer, position: number, end: number): number {
  within(position + 2, end);
  return data.readUInt16BE(position);
}

function length32(data: Buffer, position: number, end: number): number {
  within(position + 4, end);
  return data.readUInt32BE(position);
}

function within(position: number, end: number): number {
  if (position > end) throw incomplete();
  return position;
}

function incomplete(): ProtocolError {
  return new ProtocolError('The message is incomplete.');
}

function unknownExtension(): ProtocolError {
  return new ProtocolError('The message holds an unknown MessagePack extension.');
}
