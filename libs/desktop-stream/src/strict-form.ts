/** Most bytes before a payload: the map, two keys, the type, and the length of the payload. */
export const LONGEST_HEAD = 5 + 8 + 1 + 8 + 5;

const FIXMAP_OF_3 = 0x83;
const MAP_16 = 0xde;
const MAP_32 = 0xdf;
const MEMBERS = 3;
const BIN_8 = 0xc4;
const BIN_32 = 0xc6;
/** Largest number in one byte. */
const MAXIMUM_FIXINT = 0x7f;
const SMALLEST_NEGATIVE_FIXINT = 0xe0;
const UNSIGNED_8 = 0xcc;
const SIGNED_8 = 0xd0;
const SIGNED_64 = 0xd3;
const BITS_OF_A_BYTE = 8n;

const TYPE_KEY = asKey('DtoType');
const PAYLOAD_KEY = asKey('Payload');
const TIME_KEY = asKey('SendTimestamp');

/** The places of a message in strict form. */
export interface StrictMessage {
  /** Its number. */
  readonly type: number;
  /** The offsets at which its payload begins and ends. */
  readonly start: number;
  readonly end: number;
}

/**
 * Reads the number of a message whose bytes have come as far as {@link LONGEST_HEAD} or to their end. Null if the message does not begin in
 * strict form.
 */
export function readType(bytes: Uint8Array): number | null {
  const position = afterMap(bytes);
  if (position < 0 || !hasKey(bytes, position, TYPE_KEY)) return null;
  const type = bytes[position + TYPE_KEY.length];
  return type === undefined || type > MAXIMUM_FIXINT ? null : type;
}

/**
 * Reads a whole message of a viewer in the one form that is passed on: a map of three members in their order, keys as short strings, the
 * type in one byte, the payload as binary data of exactly its length, the time as an integer, and nothing after it. Null for every other
 * form: receivers read MessagePack in so many ways that a type which is read here could be another one there.
 */
export function readStrict(bytes: Uint8Array): StrictMessage | null {
  const type = readType(bytes);
  if (type === null) return null;
  const key = afterMap(bytes) + TYPE_KEY.length + 1;
  if (!hasKey(bytes, key, PAYLOAD_KEY)) return null;
  const payload = binaryAt(bytes, key + PAYLOAD_KEY.length);
  if (payload === null || !hasKey(bytes, payload.end, TIME_KEY)) return null;
  const time = payload.end + TIME_KEY.length;
  if (time >= bytes.length) return null;
  const size = sizeAfter(bytes[time]);
  return size >= 0 && time + 1 + size === bytes.length ? { type, ...payload } : null;
}

/** Reads the time of a message in strict form. */
export function timeOf(bytes: Uint8Array, { end }: StrictMessage): bigint {
  const at = end + TIME_KEY.length;
  const token = bytes[at];
  const size = sizeAfter(token);
  if (size === 0) return BigInt.asIntN(8, BigInt(token));
  let time = 0n;
  for (const byte of bytes.subarray(at + 1, at + 1 + size)) time = (time << BITS_OF_A_BYTE) | BigInt(byte);
  return token < SIGNED_8 ? time : BigInt.asIntN(size * 8, time);
}

function asKey(name: string): Uint8Array {
  return Uint8Array.from([0xa0 | name.length, ...new TextEncoder().encode(name)]);
}

/** The position after the header of a map of three; -1 if there is none. */
function afterMap(bytes: Uint8Array): number {
  switch (bytes[0]) {
    case FIXMAP_OF_3:
      return 1;
    case MAP_16:
      return bytes[1] === 0 && bytes[2] === MEMBERS ? 3 : -1;
    case MAP_32:
      return bytes[1] === 0 && bytes[2] === 0 && bytes[3] === 0 && bytes[4] === MEMBERS ? 5 : -1;
    default:
      return -1;
  }
}

function hasKey(bytes: Uint8Array, position: number, key: Uint8Array): boolean {
  for (let index = 0; index < key.length; index += 1) if (bytes[position + index] !== key[index]) return false;
  return true;
}

/** The position after the binary data whose header is at `at`, and where the data begins; null if there is none. */
function binaryAt(bytes: Uint8Array, at: number): { readonly start: number; readonly end: number } | null {
  const lengthSize = bytes[at] >= BIN_8 && bytes[at] <= BIN_32 ? 1 << (bytes[at] - BIN_8) : 0;
  const start = at + 1 + lengthSize;
  if (lengthSize === 0 || start > bytes.length) return null;
  let length = 0;
  for (let index = at + 1; index < start; index += 1) length = length * 256 + bytes[index];
  return { start, end: start + length };
}

/** The bytes of an integer after its first one; -1 if that begins no integer. */
function sizeAfter(token: number): number {
  if (token <= MAXIMUM_FIXINT || token >= SMALLEST_NEGATIVE_FIXINT) return 0;
  if (token < UNSIGNED_8 || token > SIGNED_64) return -1;
  return 1 << (token - (token < SIGNED_8 ? UNSIGNED_8 : SIGNED_8));
}
