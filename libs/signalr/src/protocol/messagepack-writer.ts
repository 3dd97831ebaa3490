import { nanosecondsOf } from './precise-date.js';

/** Messages are written one behind the other into a buffer of this size, so that few need a buffer of their own. */
const BUFFER_SIZE = 8_192;
/** Deeper values are taken for ones that contain themselves. */
const MAXIMUM_DEPTH = 500;
/** Up to this length, ASCII is faster to encode here than through a call of native code. */
const SHORT_TEXT = 24;
/** UTF-8 takes at most three bytes for each UTF-16 code unit. */
const BYTES_PER_UNIT = 3;
/** Longer texts are measured before room is made for them. */
const LONG_TEXT = 4_096;
const MAXIMUM_HEADER_SIZE = 5;
const TIMESTAMP_EXTENSION = 0xff;
const INT64 = { smallest: -(2n ** 63n), largest: 2n ** 64n - 1n };

/**
 * Writes MessagePack. Whole numbers are written as integers, of 64 bits if they need them: clients with typed languages refuse floats
 * in their place. Members that are undefined are left out, as in JSON; elsewhere undefined is nil. A written message is never changed.
 */
export class MessagePackWriter {
  #buffer = Buffer.allocUnsafeSlow(BUFFER_SIZE);
  #start = 0;
  #position = 0;
  #depth = 0;

  /** Begins a message with `reserved` bytes that are filled in later. */
  begin(reserved: number): void {
    this.#position = this.#start;
    this.#depth = 0;
    this.#reserve(reserved);
    this.#position += reserved;
  }

  /** Ends the message. The next one starts behind it. @returns it with its reserved bytes */
  end(): Buffer {
    const message = this.#buffer.subarray(this.#start, this.#position);
    this.#start = this.#position;
    return message;
  }

  arrayHeader(length: number): void {
    this.#header(length, 0x90, 0xdc);
  }

  /** Writes the map without members. */
  emptyMap(): void {
    this.#byte(0x80);
  }

  /** @throws TypeError when MessagePack cannot express the value */
  value(value: unknown): void {
    switch (typeof value) {
      case 'string':
        return this.text(value);
      case 'number':
        return this.#number(value);
      case 'boolean':
        return this.#byte(value ? 0xc3 : 0xc2);
      case 'bigint':
        return this.#bigint(value);
      case 'undefined':
        return this.#byte(0xc0);
      case 'object':
        return value === null ? this.#byte(0xc0) : this.#object(value);
      case 'function':
      case 'symbol':
        throw new TypeError(`A ${typeof value} has no form in MessagePack.`);
    }
  }

  text(text: string): void {
    const { length } = text;
    if (length <= SHORT_TEXT && this.#shortText(text)) return;
    this.#reserve(MAXIMUM_HEADER_SIZE + (length > LONG_TEXT ? Buffer.byteLength(text) : length * BYTES_PER_UNIT));
    // The header has the right size already if the text is ASCII, as most are.
    const expected = textHeaderSize(length);
    const size = this.#buffer.write(text, this.#position + expected, 'utf8');
    const actual = textHeaderSize(size);
    const begin = this.#position;
    if (actual !== expected) this.#buffer.copyWithin(begin + actual, begin + expected, begin + expected + size);
    if (actual === 1) this.#buffer[begin] = 0xa0 | size;
    else if (actual === 2) this.#buffer.writeUInt16BE(0xd900 | size, begin);
    else if (actual === 3) this.#buffer.writeUIntBE(0xda0000 + size, begin, 3);
    else this.#buffer.writeUIntBE(0xdb00000000 + size, begin, 5);
    this.#position = begin + actual + size;
  }

  #shortText(text: string): boolean {
    const { length } = text;
    this.#reserve(length + 1);
    const buffer = this.#buffer;
    let position = this.#position;
    buffer[position++] = 0xa0 | length;
    for (let index = 0; index < length; index++) {
      const unit = text.charCodeAt(index);
      if (unit >= 0x80) return false;
      buffer[position++] = unit;
    }
    this.#position = position;
    return true;
  }

  #number(value: number): void {
    if (value >> 0 === value) this.#int32(value);
    else if (!Number.isSafeInteger(value)) {
      this.#byte(0xcb);
      this.#position = this.#buffer.writeDoubleBE(value, this.#room(8));
    } else if (value > 0 && value <= 0xffffffff) {
      this.#byte(0xce);
      this.#position = this.#buffer.writeUInt32BE(value, this.#room(4));
    } else {
      const high = Math.floor(value / 2 ** 32);
      this.#byte(value > 0 ? 0xcf : 0xd3);
      this.#room(8);
      this.#position = this.#buffer.writeInt32BE(high, this.#position);
      this.#position = this.#buffer.writeUInt32BE(value - high * 2 ** 32, this.#position);
    }
  }

  #int32(value: number): void {
    this.#reserve(MAXIMUM_HEADER_SIZE);
    const buffer = this.#buffer;
    const position = this.#position;
    if (value >= -32 && value < 0x80) {
      buffer[position] = value & 0xff;
      this.#position = position + 1;
    } else if (value >= -0x80 && value < 0x100) {
      buffer[position] = value < 0 ? 0xd0 : 0xcc;
      buffer[position + 1] = value & 0xff;
      this.#position = position + 2;
    } else if (value >= -0x8000 && value < 0x10000) {
      buffer[position] = value < 0 ? 0xd1 : 0xcd;
      buffer[position + 1] = (value >> 8) & 0xff;
      buffer[position + 2] = value & 0xff;
      this.#position = position + 3;
    } else {
      buffer[position] = value < 0 ? 0xd2 : 0xce;
      this.#position = buffer.writeInt32BE(value, position + 1);
    }
  }

  #bigint(value: bigint): void {
    const number = Number(value);
    if (Number.isSafeInteger(number)) return this.#number(number);
    if (value < INT64.smallest || value > INT64.largest) throw new TypeError('The BigInt has more than 64 bits.');
    this.#byte(value < 0n ? 0xd3 : 0xcf);
    this.#position = this.#buffer.writeBigUInt64BE(BigInt.asUintN(64, value), this.#room(8));
  }

  #object(value: object): void {
    if (value instanceof Uint8Array) return this.#bytes(value);
    if (value instanceof Date) return this.#timestamp(value);
    if (++this.#depth > MAXIMUM_DEPTH) throw new TypeError(`The value is nested deeper than ${MAXIMUM_DEPTH} levels.`);
    if (Array.isArray(value)) this.#items(value);
    else if (value instanceof Map) this.#map(value);
    else if (value instanceof Set) this.#items([...value]);
    else if ('toJSON' in value && typeof value.toJSON === 'function') this.value(value.toJSON());
    else this.#members(asNamed(value));
    this.#depth--;
  }

  #items(items: readonly unknown[]): void {
    this.arrayHeader(items.length);
    for (const item of items) this.value(item);
  }

  #map(map: ReadonlyMap<unknown, unknown>): void {
    this.#header(map.size, 0x80, 0xde);
    for (const [key, value] of map) {
      this.value(key);
      this.value(value);
    }
  }

  #members(object: Readonly<Record<string, unknown>>): void {
    const names = Object.keys(object);
    let count = 0;
    for (const name of names) if (object[name] !== undefined) count++;
    this.#header(count, 0x80, 0xde);
    for (const name of names) {
      const value = object[name];
      if (value === undefined) continue;
      this.text(name);
      this.value(value);
    }
  }

  #bytes(bytes: Uint8Array): void {
    const { length } = bytes;
    this.#reserve(MAXIMUM_HEADER_SIZE + length);
    const buffer = this.#buffer;
    if (length < 0x100) this.#position = buffer.writeUInt16BE(0xc400 | length, this.#position);
    else if (length < 0x10000) this.#position = buffer.writeUIntBE(0xc50000 + length, this.#position, 3);
    else this.#position = buffer.writeUIntBE(0xc600000000 + length, this.#position, 5);
    buffer.set(bytes, this.#position);
    this.#position += length;
  }

  #timestamp(date: Date): void {
    const milliseconds = date.getTime();
    if (Number.isNaN(milliseconds)) throw new TypeError('An invalid date has no form in MessagePack.');
    const seconds = Math.floor(milliseconds / 1_000);
    const nanoseconds = (milliseconds - seconds * 1_000) * 1e6 + nanosecondsOf(date);
    this.#reserve(15);
    const buffer = this.#buffer;
    if (seconds >= 0 && seconds < 2 ** 32 && nanoseconds === 0) {
      this.#position = buffer.writeUInt16BE(0xd600 | TIMESTAMP_EXTENSION, this.#position);
      this.#position = buffer.writeUInt32BE(seconds, this.#position);
    } else if (seconds >= 0 && seconds < 2 ** 34) {
      this.#position = buffer.writeUInt16BE(0xd700 | TIMESTAMP_EXTENSION, this.#position);
      this.#position = buffer.writeUInt32BE(nanoseconds * 4 + Math.floor(seconds / 2 ** 32), this.#position);
      this.#position = buffer.writeUInt32BE(seconds % 2 ** 32, this.#position);
    } else {
      this.#position = buffer.writeUIntBE(0xc70c00 | TIMESTAMP_EXTENSION, this.#position, 3);
      this.#position = buffer.writeUInt32BE(nanoseconds, this.#position);
      this.#position = buffer.writeBigInt64BE(BigInt(seconds), this.#position);
    }
  }

  /** The header of an array or a map: `short` with the length in it, or `long` (for 16 bits, the next one for 32) and the length. */
  #header(length: number, short: number, long: number): void {
    this.#reserve(MAXIMUM_HEADER_SIZE);
    if (length < 0x10) this.#buffer[this.#position++] = short | length;
    else if (length < 0x10000) this.#position = this.#buffer.writeUIntBE(long * 0x10000 + length, this.#position, 3);
    else this.#position = this.#buffer.writeUIntBE((long + 1) * 2 ** 32 + length, this.#position, 5);
  }

  #byte(byte: number): void {
    this.#reserve(1);
    this.#buffer[this.#position++] = byte;
  }

  /** Makes room for `size` bytes. @returns where they go */
  #room(size: number): number {
    this.#reserve(size);
    return this.#position;
  }

  /** Makes room for `size` bytes. The part of the message that is written moves to a new buffer if this one is full. */
  #reserve(size: number): void {
    if (this.#position + size <= this.#buffer.length) return;
    const used = this.#position - this.#start;
    const buffer = Buffer.allocUnsafeSlow(Math.max(BUFFER_SIZE, 2 * used + size));
    this.#buffer.copy(buffer, 0, this.#start, this.#position);
    this.#buffer = buffer;
    this.#start = 0;
    this.#position = used;
  }
}

function textHeaderSize(length: number): number {
  if (length < 0x20) return 1;
  if (length < 0x100) return 2;
  return length < 0x10000 ? 3 : 5;
}

/** An object, by the names of its members: the only cast, without a copy. */
function asNamed(object: object): Readonly<Record<string, unknown>>;
function asNamed<T>(object: T): T {
  return object;
}
