import { fromBase64, toBase64 } from './base64.js';
import { inWords, MAX_BINARY_LENGTH, MAX_NAME_LENGTH, MAX_URI_LENGTH } from './limits.js';
import { Timestamp } from './timestamp.js';
import { WireTypeError, type ContractType } from './wire-type.js';

const GUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const EMPTY_GUID = '00000000-0000-0000-0000-000000000000';
const MESSAGEPACK_TIMESTAMP_EXTENSION = -1;

/** A string of at most `maxLength` UTF-16 code units. Null, which some clients send, reads as an empty string. */
export function text(maxLength: number): ContractType<string> {
  return textNamed('string', maxLength);
}

/** A URI as text. Its form is not checked here; check its scheme before you follow it. */
export const uri = textNamed('uri', MAX_URI_LENGTH);

/** A version such as `1.2.3.4` as text. */
export const version = textNamed('version', MAX_NAME_LENGTH);

function textNamed(name: string, maxLength: number): ContractType<string> {
  return {
    name,
    limit: `at most ${inWords(maxLength)} characters`,
    absent: () => '',
    encode: (value) => value,
    decode(raw) {
      if (raw === null) return '';
      if (typeof raw !== 'string') throw new WireTypeError('must be a string');
      if (raw.length > maxLength) throw new WireTypeError(`must not be longer than ${maxLength} characters`);
      return raw;
    },
    write: (value, writer) => writer.text(value),
  };
}

/** A GUID: 36 characters, in lower case. The default is all zeros. */
export const guid: ContractType<string> = {
  name: 'guid',
  absent: () => EMPTY_GUID,
  encode: (value) => value,
  decode(raw) {
    if (typeof raw !== 'string' || !GUID.test(raw)) throw new WireTypeError('must be a GUID');
    return raw.toLowerCase();
  },
  write: (value, writer) => writer.text(value),
};

export const bool: ContractType<boolean> = {
  name: 'bool',
  absent: () => false,
  encode: (value) => value,
  decode(raw) {
    if (typeof raw !== 'boolean') throw new WireTypeError('must be true or false');
    return raw;
  },
  write: (value, writer) => writer.boolean(value),
};

export const int32: ContractType<number> = {
  name: 'int32',
  absent: () => 0,
  encode: (value) => value,
  decode(raw) {
    if (typeof raw !== 'number' || (raw | 0) !== raw) throw new WireTypeError('must be a whole number of 32 bits');
    return raw;
  },
  write: (value, writer) => writer.integer(value),
};

/** The largest JavaScript number below 2^63. Sizes are not rounded beyond it, because others refuse integers of more than 64 bits. */
const LARGEST_INT64 = 2 ** 63 - 1024;

/** A 64-bit integer as a JavaScript number, such as the size of a file. One of more than 53 bits, as of a huge sparse file, is rounded. */
export const int64: ContractType<number> = {
  name: 'int64',
  absent: () => 0,
  encode: (value, encoding) => (encoding === 'messagepack' ? asMessagePackInteger(value) : value),
  decode(raw, encoding) {
    const value = Number(exactInt64.decode(raw, encoding));
    return Math.max(-LARGEST_INT64, Math.min(value, LARGEST_INT64));
  },
  write: (value, writer) => writer.integer(value),
};

/** A 64-bit integer with all its bits, such as a tick count. In JSON one of more than 53 bits is a BigInt, which the hubs write exactly. */
export const exactInt64: ContractType<bigint> = {
  name: 'int64',
  absent: () => 0n,
  encode: (value, encoding) => (encoding === 'messagepack' ? asMessagePackInteger(value) : numberIfExact(value)),
  decode(raw) {
    const whole = typeof raw === 'bigint' || (typeof raw === 'number' && Number.isInteger(raw));
    const value = whole ? BigInt(raw) : undefined;
    if (value === undefined || BigInt.asIntN(64, value) !== value) throw new WireTypeError('must be a whole number of 64 bits');
    return value;
  },
  write: (value, writer) => writer.integer(value),
};

function numberIfExact(value: bigint): number | bigint {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

/** MessagePack libraries write large numbers as floats, which other clients refuse for integers. They write BigInts as integers. */
function asMessagePackInteger(value: number | bigint): number | bigint {
  return value > 0xffffffff || value < -0x80000000 ? BigInt(value) : Number(value);
}

export const float64: ContractType<number> = {
  name: 'float64',
  absent: () => 0,
  encode: (value) => value,
  decode(raw) {
    const value = typeof raw === 'bigint' ? Number(raw) : raw;
    if (typeof value !== 'number' || !Number.isFinite(value)) throw new WireTypeError('must be a number');
    return value;
  },
  write: (value, writer) => writer.double(value),
};

/** Binary data of at most `maxLength` bytes: base64 in JSON, `bin` in MessagePack. */
export function binary(maxLength: number = MAX_BINARY_LENGTH): ContractType<Uint8Array> {
  const tooLong = `must not be longer than ${maxLength} bytes`;
  const maxBase64Length = Math.ceil(maxLength / 3) * 4;
  return {
    name: 'bytes',
    limit: `at most ${inWords(maxLength)} bytes`,
    absent: () => new Uint8Array(),
    encode: (value, encoding) => (encoding === 'json' ? toBase64(value) : value),
    decode(raw) {
      if (raw === null) return new Uint8Array();
      if (typeof raw === 'string' && raw.length > maxBase64Length) throw new WireTypeError(tooLong);
      const bytes = typeof raw === 'string' ? fromBase64(raw) : raw;
      if (!(bytes instanceof Uint8Array)) throw new WireTypeError('must be binary data (base64 in JSON)');
      if (bytes.length > maxLength) throw new WireTypeError(tooLong);
      return bytes;
    },
    write: (value, writer) => writer.bytes(value),
  };
}

/**
 * A point in time with its offset from UTC. JSON has ISO 8601; MessagePack has a list of the local time as a timestamp, and the
 * offset in minutes. A MessagePack library that decodes timestamps to Date cuts them to milliseconds, unless its dates have a member
 * `nanoseconds` with the rest. One that hands over the raw extension (`type`, `data`) keeps them exact.
 */
export const timestamp: ContractType<Timestamp> = {
  name: 'datetimeoffset',
  absent: () => Timestamp.fromTicks(0n) ?? missing(),
  encode: (value, encoding) => (encoding === 'json' ? value.toString() : [value.clockAsDate(), value.offsetMinutes]),
  decode(raw, encoding) {
    const value = encoding === 'json' ? timestampFromJson(raw) : timestampFromMessagePack(raw);
    if (value === undefined) throw new WireTypeError('must be a date and time with offset');
    return value;
  },
  write: () => {
    throw new WireTypeError('is a timestamp, which has no place in a signed record');
  },
};

function missing(): never {
  throw new WireTypeError('is required');
}

function timestampFromJson(raw: unknown): Timestamp | undefined {
  return typeof raw === 'string' ? Timestamp.parse(raw) : undefined;
}

function timestampFromMessagePack(raw: unknown): Timestamp | undefined {
  if (!Array.isArray(raw) || raw.length !== 2) return undefined;
  const [clock, offset]: unknown[] = raw;
  if (typeof offset !== 'number' || !Number.isInteger(offset)) return undefined;
  if (clock instanceof Date) {
    const milliseconds = clock.getTime();
    if (Number.isNaN(milliseconds)) return undefined;
    const seconds = Math.floor(milliseconds / 1000);
    return Timestamp.fromUnixTime(BigInt(seconds), (milliseconds - seconds * 1000) * 1e6 + nanosecondsOf(clock), offset);
  }
  return isTimestampExtension(clock) ? timestampFromExtension(clock.data, offset) : undefined;
}

function nanosecondsOf(clock: Date): number {
  return 'nanoseconds' in clock && typeof clock.nanoseconds === 'number' ? clock.nanoseconds : 0;
}

function isTimestampExtension(value: unknown): value is { data: Uint8Array } {
  return (
    typeof value === 'object' &&
    value !== null &&
    'type' in value &&
    value.type === MESSAGEPACK_TIMESTAMP_EXTENSION &&
    'data' in value &&
    value.data instanceof Uint8Array
  );
}

function timestampFromExtension(data: Uint8Array, offset: number): Timestamp | undefined {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  if (data.length === 4) return Timestamp.fromUnixTime(BigInt(view.getUint32(0)), 0, offset);
  if (data.length === 8) {
    const packed = view.getBigUint64(0);
    return Timestamp.fromUnixTime(packed & 0x3ffffffffn, Number(packed >> 34n), offset);
  }
  return data.length === 12 ? Timestamp.fromUnixTime(view.getBigInt64(4), view.getUint32(0), offset) : undefined;
}
