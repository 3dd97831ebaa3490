import type { Memory } from './memory.js';
import { nanosecondsOf } from './precise-date.js';

/** Messages are written one behind the other into memory of this size, so that few need memory of their own. */
const CHUNK_SIZE = 8_192;
/** Deeper values are taken for ones that contain themselves. */
const MAXIMUM_DEPTH = 500;
/** Up to this length, ASCII is faster to encode here than through a call of native code. */
const SHORT_TEXT = 24;
/** UTF-8 takes at most three bytes for each UTF-16 code unit. */
const BYTES_PER_UNIT = 3;
/** Longer texts are measured before room is made for them. */
const LONG_TEXT = 4_096;
const MAXIMUM_HEADER_SIZE = 9;
const TIMESTAMP_SIZE = 15;
const TIMESTAMP_EXTENSION = 0xff;
const INT64 = { smallest: -(2n ** 63n), largest: 2n ** 64n - 1n };

/**
 * Writes MessagePack: whole values with {@link value}, or their parts one after the other. Whole numbers are written as integers in their
 * shortest form, of 64 bits if they need them: clients with typed languages refuse floats in their place. Everything has its shortest
 * header, so that equal values have equal bytes. A written message is never changed.
 */
export class MessagePackWriter<Bytes extends Uint8Array = Uint8Array> {
  #chunk: Bytes;
  #view: DataView;
  #start = 0;
  #position = 0;
  #depth = 0;

  constructor(private readonly memory: Memory<Bytes>) {
    this.#chunk = memory.allocate(CHUNK_SIZE);
    this.#view = viewOf(this.#chunk);
  }

  /** Begins a message with `reserved` bytes that are filled in later. */
  begin(reserved = 0): void {
    this.#position = this.#start;
    this.#depth = 0;
    this.#reserve(reserved);
    this.#position += reserved;
  }

  /** Ends the message. The next one starts behind it. @returns it with its reserved bytes */
  end(): Bytes {
    const message = this.memory.part(this.#chunk, this.#start, this.#position);
    this.#start = this.#position;
    return message;
  }

  /**
   * Writes a value with all that it holds. Members that are undefined are left out, as in JSON; elsewhere undefined is nil.
   * @throws TypeError when MessagePack cannot express the value
   */
  value(value: unknown): void {
    switch (typeof value) {
      case 'string':
        return this.text(value);
      case 'number':
        return Number.isSafeInteger(value) ? this.#whole(value) : this.double(value);
      case 'boolean':
        return this.boolean(value);
      case 'bigint':
        return this.#bigint(value);
      case 'undefined':
        return this.nil();
      case 'object':
        return value === null ? this.nil() : this.#object(value);
      case 'function':
      case 'symbol':
        throw new TypeError(`A ${typeof value} has no form in MessagePack.`);
    }
  }

  nil(): void {
    this.#byte(0xc0);
  }

  boolean(value: boolean): void {
    this.#byte(value ? 0xc3 : 0xc2);
  }

  /** Writes a number as a float, even a whole one. */
  double(value: number): void {
    this.#reserve(MAXIMUM_HEADER_SIZE);
    this.#chunk[this.#position] = 0xcb;
    this.#view.setFloat64(this.#position + 1, value);
    this.#position += 9;
  }

  /** Writes a number as a float of 32 bits. */
  single(value: number): void {
    this.#reserve(MAXIMUM_HEADER_SIZE);
    this.#chunk[this.#position] = 0xca;
    this.#view.setFloat32(this.#position + 1, value);
    this.#position += 5;
  }

  /** Writes a whole number. @throws RangeError when it has a fraction, TypeError when it has more than 64 bits */
  integer(value: number | bigint): void {
    if (typeof value === 'number' && Number.isSafeInteger(value)) this.#whole(value);
    else this.#bigint(BigInt(value));
  }

  /** Writes an unsigned integer in 64 bits, even a small one. */
  unsigned64(value: bigint): void {
    this.#reserve(MAXIMUM_HEADER_SIZE);
    this.#chunk[this.#position] = 0xcf;
    this.#view.setBigUint64(this.#position + 1, value);
    this.#position += 9;
  }

  text(text: string): void {
    const { length } = text;
    if (length <= SHORT_TEXT && this.#shortText(text)) return;
    this.#reserve(MAXIMUM_HEADER_SIZE + (length > LONG_TEXT ? this.memory.roomFor(text) : length * BYTES_PER_UNIT));
    // The header has the right size already if the text is ASCII, as most are.
    const expected = textHeaderSize(length);
    const begin = this.#position;
    const size = this.memory.write(text, this.#chunk, begin + expected);
    const actual = textHeaderSize(size);
    if (actual !== expected) this.#chunk.copyWithin(begin + actual, begin + expected, begin + expected + size);
    if (actual === 1) this.#chunk[begin] = 0xa0 | size;
    else this.#sized(0xd9, size);
    this.#position = begin + actual + size;
  }

  bytes(bytes: Uint8Array): void {
    const { length } = bytes;
    this.#reserve(MAXIMUM_HEADER_SIZE + length);
    this.#sized(0xc4, length);
    this.#chunk.set(bytes, this.#position);
    this.#position += length;
  }

  /** Announces an array, whose items follow. */
  arrayHeader(length: number): void {
    this.#header(length, 0x90, 0xdc);
  }

  /** Announces a map. Key and value of each pair follow. */
  mapHeader(pairs: number): void {
    this.#header(pairs, 0x80, 0xde);
  }

  /** Writes bytes that are MessagePack already, such as a name that is written often. */
  encoded(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#chunk.set(bytes, this.#position);
    this.#position += bytes.length;
  }

  #shortText(text: string): boolean {
    const { length } = text;
    this.#reserve(length + 1);
    const chunk = this.#chunk;
    let position = this.#position;
    chunk[position++] = 0xa0 | length;
    for (let index = 0; index < length; index++) {
      const unit = text.charCodeAt(index);
      if (unit >= 0x80) return false;
      chunk[position++] = unit;
    }
    this.#position = position;
    return true;
  }

  /** Writes a whole number of at most 53 bits. */
  #whole(value: number): void {
    this.#reserve(MAXIMUM_HEADER_SIZE);
    const chunk = this.#chunk;
    const position = this.#position;
    if (value >= -0x20 && value < 0x80) {
      chunk[position] = value & 0xff;
      this.#position = position + 1;
    } else if (value >= -0x80 && value < 0x100) {
      chunk[position] = value < 0 ? 0xd0 : 0xcc;
      chunk[position + 1] = value & 0xff;
      this.#position = position + 2;
    } else if (value >= -0x8000 && value < 0x10000) {
      chunk[position] = value < 0 ? 0xd1 : 0xcd;
      chunk[position + 1] = (value >> 8) & 0xff;
      chunk[position + 2] = value & 0xff;
      this.#position = position + 3;
    } else if (value >= -0x80000000 && value < 0x100000000) {
      chunk[position] = value < 0 ? 0xd2 : 0xce;
      this.#view.setUint32(position + 1, value);
      this.#position = position + 5;
    } else {
      const high = Math.floor(value / 2 ** 32);
      chunk[position] = value < 0 ? 0xd3 : 0xcf;
      this.#view.setUint32(position + 1, high);
      this.#view.setUint32(position + 5, value - high * 2 ** 32);
      this.#position = position + 9;
    }
  }

  #bigint(value: bigint): void {
    const number = Number(value);
    if (Number.isSafeInteger(number)) return this.#whole(number);
    if (value < INT64.smallest || value > INT64.largest) throw new TypeError('The BigInt has more than 64 bits.');
    if (value >= 0n) return this.unsigned64(value);
    this.#byte(0xd3);
    this.#reserve(8);
    this.#view.setBigInt64(this.#position, value);
    this.#position += 8;
  }

  #object(value: object): void {
    if (value instanceof Uint8Array) return this.bytes(value);
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
    this.mapHeader(map.size);
    for (const [key, value] of map) {
      this.value(key);
      this.value(value);
    }
  }

  #members(object: Readonly<Record<string, unknown>>): void {
    const names = Object.keys(object);
    let count = 0;
    for (const name of names) if (object[name] !== undefined) count++;
    this.mapHeader(count);
    for (const name of names) {
      const value = object[name];
      if (value === undefined) continue;
      this.text(name);
      this.value(value);
    }
  }

  #timestamp(date: Date): void {
    const milliseconds = date.getTime();
    if (Number.isNaN(milliseconds)) throw new TypeError('An invalid date has no form in MessagePack.');
    const seconds = Math.floor(milliseconds / 1_000);
    const nanoseconds = (milliseconds - seconds * 1_000) * 1e6 + nanosecondsOf(date);
    this.#reserve(TIMESTAMP_SIZE);
    const view = this.#view;
    const position = this.#position;
    if (seconds >= 0 && seconds < 2 ** 32 && nanoseconds === 0) {
      view.setUint16(position, 0xd600 | TIMESTAMP_EXTENSION);
      view.setUint32(position + 2, seconds);
      this.#position = position + 6;
    } else if (seconds >= 0 && seconds < 2 ** 34) {
      view.setUint16(position, 0xd700 | TIMESTAMP_EXTENSION);
      view.setUint32(position + 2, nanoseconds * 4 + Math.floor(seconds / 2 ** 32));
      view.setUint32(position + 6, seconds % 2 ** 32);
      this.#position = position + 10;
    } else {
      view.setUint16(position, 0xc70c);
      view.setUint8(position + 2, TIMESTAMP_EXTENSION);
      view.setUint32(position + 3, nanoseconds);
      view.setBigInt64(position + 7, BigInt(seconds));
      this.#position = position + TIMESTAMP_SIZE;
    }
  }

  /** Writes the header of an array or a map: `short` with the length in it, or `long` (for 16 bits, the next one for 32) and the length. */
  #header(length: number, short: number, long: number): void {
    this.#reserve(MAXIMUM_HEADER_SIZE);
    if (length < 0x10) this.#chunk[this.#position++] = short | length;
    else if (length < 0x10000) {
      this.#chunk[this.#position] = long;
      this.#view.setUint16(this.#position + 1, length);
      this.#position += 3;
    } else {
      this.#chunk[this.#position] = long + 1;
      this.#view.setUint32(this.#position + 1, length);
      this.#position += 5;
    }
  }

  /** Writes a header with a length in 8, 16 or 32 bits, whose codes follow each other from `code` on. There is room for it. */
  #sized(code: number, length: number): void {
    const position = this.#position;
    if (length < 0x100) {
      this.#chunk[position] = code;
      this.#chunk[position + 1] = length;
      this.#position = position + 2;
    } else if (length < 0x10000) {
      this.#chunk[position] = code + 1;
      this.#view.setUint16(position + 1, length);
      this.#position = position + 3;
    } else {
      this.#chunk[position] = code + 2;
      this.#view.setUint32(position + 1, length);
      this.#position = position + 5;
    }
  }

  #byte(byte: number): void {
    this.#reserve(1);
    this.#chunk[this.#position++] = byte;
  }

  /** Makes room for `size` bytes. The part of the message that is written moves to a new chunk if this one is full. */
  #reserve(size: number): void {
    if (this.#position + size <= this.#chunk.length) return;
    const used = this.#position - this.#start;
    const chunk = this.memory.allocate(Math.max(CHUNK_SIZE, 2 * used + size));
    chunk.set(this.memory.part(this.#chunk, this.#start, this.#position));
    this.#chunk = chunk;
    this.#view = viewOf(chunk);
    this.#start = 0;
    this.#position = used;
  }
}

function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength);
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
