import { ProtocolError } from './messages.js';
import { PreciseDate } from '../wire/precise-date.js';

/** The greatest depth of nested arrays and maps. */
const MAXIMUM_DEPTH = 64;
/** The only MessagePack extension that SignalR uses. */
const TIMESTAMP_EXTENSION = 0xff;
const MAXIMUM_NANOSECONDS = 999_999_999;
const NANOSECONDS_PER_MILLISECOND = 1e6;
/** Up to this length, ASCII is faster to decode here than through a call of native code. */
const SHORT_TEXT = 16;
/** The longest name that is remembered, and the number of places for names. */
const LONGEST_NAME = 40;
const REMEMBERED_NAMES = 1_024;

/**
 * Names that were read before: members of maps, and targets of calls. Most messages repeat them, and a text that is there already costs
 * nothing. A name may push another one out of its place, so that the memory stays the same for any input.
 */
const names: (string | undefined)[] = Array.from({ length: REMEMBERED_NAMES });

/**
 * Reads one MessagePack value from bytes of untrusted clients. It refuses a value that is incomplete, is nested too deep, announces
 * more items or bytes than there are, or has extensions other than timestamps. It reads each value as
 *
 * - whole numbers: a number where that is exact, else a BigInt
 * - maps: an object, or a `Map` if a key is no text
 * - timestamps: a `Date`, which is a {@link PreciseDate} if it has parts of a millisecond
 * - bytes: a part of `data`, without a copy
 */
export class MessagePackReader {
  #position: number;
  #depth = 0;

  constructor(
    private readonly data: Buffer,
    start: number,
    private readonly end: number,
  ) {
    this.#position = start;
  }

  /** True if everything was read. */
  get isAtEnd(): boolean {
    return this.#position === this.end;
  }

  /** Reads the header of an array. @returns the number of its items @throws ProtocolError when the value is no array */
  arrayHeader(): number {
    const token = this.#byte();
    if (token >= 0x90 && token < 0xa0) return this.#count(token & 0x0f, 1);
    if (token === 0xdc) return this.#count(this.#unsigned(2), 1);
    if (token === 0xdd) return this.#count(this.#unsigned(4), 1);
    throw new ProtocolError('The message is no MessagePack array.');
  }

  /** Reads a text that is likely to come again, or another value. @throws ProtocolError when it breaks a rule */
  name(): unknown {
    const token = this.data[this.#position];
    if (this.#position < this.end && token >= 0xa0 && token < 0xc0) {
      this.#position++;
      return this.#name(token & 0x1f);
    }
    if (this.#position < this.end && token === 0xd9) {
      this.#position++;
      return this.#name(this.#unsigned(1));
    }
    return this.value();
  }

  /** Reads the next value. @throws ProtocolError when it breaks a rule */
  value(): unknown {
    const token = this.#byte();
    if (token < 0x80) return token;
    if (token >= 0xe0) return token - 0x100;
    if (token < 0x90) return this.#map(token & 0x0f);
    if (token < 0xa0) return this.#array(token & 0x0f);
    if (token < 0xc0) return this.#text(token & 0x1f);
    switch (token) {
      case 0xc0:
        return null;
      case 0xc2:
        return false;
      case 0xc3:
        return true;
      case 0xc4:
        return this.#bytes(this.#unsigned(1));
      case 0xc5:
        return this.#bytes(this.#unsigned(2));
      case 0xc6:
        return this.#bytes(this.#unsigned(4));
      case 0xc7:
        return this.#timestamp(this.#unsigned(1));
      case 0xca:
        return this.data.readFloatBE(this.#skip(4));
      case 0xcb:
        return this.data.readDoubleBE(this.#skip(8));
      case 0xcc:
        return this.#unsigned(1);
      case 0xcd:
        return this.#unsigned(2);
      case 0xce:
        return this.#unsigned(4);
      case 0xcf:
        return exactly(this.data.readBigUInt64BE(this.#skip(8)));
      case 0xd0:
        return this.data.readInt8(this.#skip(1));
      case 0xd1:
        return this.data.readInt16BE(this.#skip(2));
      case 0xd2:
        return this.data.readInt32BE(this.#skip(4));
      case 0xd3:
        return exactly(this.data.readBigInt64BE(this.#skip(8)));
      case 0xd6:
        return this.#timestamp(4);
      case 0xd7:
        return this.#timestamp(8);
      case 0xd9:
        return this.#text(this.#unsigned(1));
      case 0xda:
        return this.#text(this.#unsigned(2));
      case 0xdb:
        return this.#text(this.#unsigned(4));
      case 0xdc:
        return this.#array(this.#unsigned(2));
      case 0xdd:
        return this.#array(this.#unsigned(4));
      case 0xde:
        return this.#map(this.#unsigned(2));
      case 0xdf:
        return this.#map(this.#unsigned(4));
      default:
        throw unknownExtension();
    }
  }

  #array(length: number): unknown[] {
    const count = this.#count(length, 1);
    this.#enter();
    const items: unknown[] = [];
    for (let index = 0; index < count; index++) items.push(this.value());
    this.#depth--;
    return items;
  }

  #map(length: number): Record<string, unknown> | Map<unknown, unknown> {
    const count = this.#count(length, 2);
    this.#enter();
    const named: Record<string, unknown> = {};
    let map: Map<unknown, unknown> | undefined;
    for (let index = 0; index < count; index++) {
      const key = this.name();
      if (typeof key !== 'string') map ??= new Map(Object.entries(named));
      const value = this.value();
      if (map !== undefined) map.set(key, value);
      else setMember(named, String(key), value);
    }
    this.#depth--;
    return map ?? named;
  }

  #text(length: number): string {
    const start = this.#skip(length);
    return length <= SHORT_TEXT ? shortText(this.data, start, length) : this.data.toString('utf8', start, start + length);
  }

  #name(length: number): string {
    const start = this.#skip(length);
    const { data } = this;
    if (length === 0 || length > LONGEST_NAME) return data.toString('utf8', start, start + length);
    const place =
      (length + data[start] * 31 + data[start + (length >> 1)] * 131 + data[start + length - 1] * 1_031) & (REMEMBERED_NAMES - 1);
    const known = names[place];
    if (known !== undefined && isText(known, data, start, length)) return known;
    const name = data.toString('utf8', start, start + length);
    names[place] = name;
    return name;
  }

  #bytes(length: number): Buffer {
    const start = this.#skip(length);
    return this.data.subarray(start, start + length);
  }

  #timestamp(size: number): Date {
    const start = this.#skip(1 + size) + 1;
    const { data } = this;
    if (data[start - 1] !== TIMESTAMP_EXTENSION) throw unknownExtension();
    if (size === 4) return toDate(data.readUInt32BE(start), 0);
    if (size === 8) {
      const high = data.readUInt32BE(start);
      return toDate((high & 0x3) * 2 ** 32 + data.readUInt32BE(start + 4), high >>> 2);
    }
    if (size === 12) return toDate(Number(data.readBigInt64BE(start + 4)), data.readUInt32BE(start));
    throw unknownExtension();
  }

  /** Every value takes at least one byte, so a count that leaves less cannot be true. */
  #count(count: number, valuesEach: number): number {
    if (count * valuesEach > this.end - this.#position) throw incomplete();
    return count;
  }

  #enter(): void {
    if (++this.#depth > MAXIMUM_DEPTH) throw new ProtocolError(`The message is nested deeper than ${MAXIMUM_DEPTH} levels.`);
  }

  #byte(): number {
    return this.data[this.#skip(1)];
  }

  #unsigned(size: number): number {
    const start = this.#skip(size);
    const { data } = this;
    let value = data[start];
    for (let index = 1; index < size; index++) value = value * 0x100 + data[start + index];
    return value;
  }

  /** Passes over bytes. @returns where they begin @throws ProtocolError when there are fewer */
  #skip(size: number): number {
    const start = this.#position;
    this.#position = start + size;
    if (this.#position > this.end) throw incomplete();
    return start;
  }
}

/** Sets a member under any name. To assign `__proto__` would set the prototype instead. */
function setMember(object: Record<string, unknown>, name: string, value: unknown): void {
  if (name === '__proto__') Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true });
  else object[name] = value;
}

function shortText(data: Buffer, start: number, length: number): string {
  let text = '';
  for (let index = start; index < start + length; index++) {
    const byte = data[index];
    if (byte >= 0x80) return data.toString('utf8', start, start + length);
    text += String.fromCharCode(byte);
  }
  return text;
}

/** Checks that `text` has these bytes, all of which are ASCII. */
function isText(text: string, data: Buffer, start: number, length: number): boolean {
  if (text.length !== length) return false;
  for (let index = 0; index < length; index++) {
    const byte = data[start + index];
    if (byte >= 0x80 || text.charCodeAt(index) !== byte) return false;
  }
  return true;
}

function exactly(value: bigint): number | bigint {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

function toDate(seconds: number, nanoseconds: number): Date {
  if (nanoseconds > MAXIMUM_NANOSECONDS) throw new ProtocolError('The message holds a timestamp with more than a second in its fraction.');
  const milliseconds = seconds * 1_000 + Math.floor(nanoseconds / NANOSECONDS_PER_MILLISECOND);
  const rest = nanoseconds % NANOSECONDS_PER_MILLISECOND;
  return rest === 0 ? new Date(milliseconds) : new PreciseDate(milliseconds, rest);
}

function incomplete(): ProtocolError {
  return new ProtocolError('The message is incomplete.');
}

function unknownExtension(): ProtocolError {
  return new ProtocolError('The message holds an unknown MessagePack extension.');
}
