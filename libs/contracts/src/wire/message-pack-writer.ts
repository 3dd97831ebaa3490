const INITIAL_CAPACITY = 1024;
/** The largest buffer that is kept for the next value. */
const KEPT_CAPACITY = 65_536;
/** The most bytes that one UTF-16 code unit takes in UTF-8. */
const UTF8_BYTES_PER_UNIT = 3;
const LONGEST_HEADER = 9;
/** Strings below this many bytes have a header of one byte. */
const SHORT_STRING = 32;

const encoder = new TextEncoder();

/**
 * Writes MessagePack in the canonical form that is signed: integers in their shortest form, floats always in 8 bytes, everything
 * else with its shortest header. Works in a browser as well.
 */
export class MessagePackWriter {
  private buffer = new Uint8Array(INITIAL_CAPACITY);
  private view = new DataView(this.buffer.buffer);
  private length = 0;

  /** The bytes written so far, as a copy. */
  bytes(): Uint8Array {
    return this.buffer.slice(0, this.length);
  }

  /** The bytes written so far, valid until more are written. */
  get written(): Uint8Array {
    return this.buffer.subarray(0, this.length);
  }

  /** Begins another value. */
  clear(): void {
    this.length = 0;
    if (this.buffer.length <= KEPT_CAPACITY) return;
    this.buffer = new Uint8Array(INITIAL_CAPACITY);
    this.view = new DataView(this.buffer.buffer);
  }

  nil(): void {
    this.reserve(1);
    this.byte(0xc0);
  }

  boolean(value: boolean): void {
    this.reserve(1);
    this.byte(value ? 0xc3 : 0xc2);
  }

  double(value: number): void {
    this.reserve(LONGEST_HEADER);
    this.byte(0xcb);
    this.view.setFloat64(this.length, value);
    this.length += 8;
  }

  /** An integer in its shortest form, unsigned unless it is negative. */
  integer(value: number | bigint): void {
    this.reserve(LONGEST_HEADER);
    if (typeof value === 'number' && value >= 0 && value < 0x80) return this.byte(value);
    const whole = BigInt(value);
    if (whole >= 0n) {
      if (whole < 0x80n) this.byte(Number(whole));
      else if (whole <= 0xffn) this.sized(0xcc, 1, Number(whole));
      else if (whole <= 0xffffn) this.sized(0xcd, 2, Number(whole));
      else if (whole <= 0xffffffffn) this.sized(0xce, 4, Number(whole));
      else this.unsigned64(whole);
    } else if (whole >= -0x20n) this.byte(Number(whole) & 0xff);
    else if (whole >= -0x80n) this.sized(0xd0, 1, Number(whole) & 0xff);
    else if (whole >= -0x8000n) this.sized(0xd1, 2, Number(whole) & 0xffff);
    else if (whole >= -0x80000000n) this.sized(0xd2, 4, Number(whole) >>> 0);
    else {
      this.byte(0xd3);
      this.view.setBigInt64(this.length, whole);
      this.length += 8;
    }
  }

  /** An unsigned integer in 8 bytes, even a small one. */
  unsigned64(value: bigint): void {
    this.reserve(LONGEST_HEADER);
    this.byte(0xcf);
    this.view.setBigUint64(this.length, value);
    this.length += 8;
  }

  string(value: string): void {
    if (value.length < SHORT_STRING && this.shortAscii(value)) return;
    // The size of the header depends on the length in UTF-8. So the text is written after room for the longest header, and moved.
    this.reserve(5 + value.length * UTF8_BYTES_PER_UNIT);
    const body = this.length + 5;
    const { written } = encoder.encodeInto(value, this.buffer.subarray(body));
    if (written < 32) this.byte(0xa0 | written);
    else if (written <= 0xff) this.sized(0xd9, 1, written);
    else if (written <= 0xffff) this.sized(0xda, 2, written);
    else this.sized(0xdb, 4, written);
    this.buffer.copyWithin(this.length, body, body + written);
    this.length += written;
  }

  binary(value: Uint8Array): void {
    this.reserve(5 + value.length);
    if (value.length <= 0xff) this.sized(0xc4, 1, value.length);
    else if (value.length <= 0xffff) this.sized(0xc5, 2, value.length);
    else this.sized(0xc6, 4, value.length);
    this.buffer.set(value, this.length);
    this.length += value.length;
  }

  /** Announces an array; its items follow. */
  arrayHeader(count: number): void {
    this.reserve(5);
    if (count < 16) this.byte(0x90 | count);
    else if (count <= 0xffff) this.sized(0xdc, 2, count);
    else this.sized(0xdd, 4, count);
  }

  /** Announces a map; key and value of each pair follow. */
  mapHeader(pairs: number): void {
    this.reserve(5);
    if (pairs < 16) this.byte(0x80 | pairs);
    else if (pairs <= 0xffff) this.sized(0xde, 2, pairs);
    else this.sized(0xdf, 4, pairs);
  }

  /** Bytes that are MessagePack already, such as a name that is written often. */
  encoded(bytes: Uint8Array): void {
    this.reserve(bytes.length);
    this.buffer.set(bytes, this.length);
    this.length += bytes.length;
  }

  /** The common case, faster than the encoder: copies characters one by one. False at the first that is not ASCII. */
  private shortAscii(value: string): boolean {
    this.reserve(1 + value.length);
    for (let index = 0; index < value.length; index++) {
      const unit = value.charCodeAt(index);
      if (unit > 0x7f) return false;
      this.buffer[this.length + 1 + index] = unit;
    }
    this.buffer[this.length] = 0xa0 | value.length;
    this.length += 1 + value.length;
    return true;
  }

  private byte(value: number): void {
    this.buffer[this.length++] = value;
  }

  private sized(code: number, width: 1 | 2 | 4, value: number): void {
    this.byte(code);
    if (width === 1) this.view.setUint8(this.length, value);
    else if (width === 2) this.view.setUint16(this.length, value);
    else this.view.setUint32(this.length, value);
    this.length += width;
  }

  private reserve(count: number): void {
    const needed = this.length + count;
    if (needed <= this.buffer.length) return;
    const larger = new Uint8Array(Math.max(needed, this.buffer.length * 2));
    larger.set(this.buffer.subarray(0, this.length));
    this.buffer = larger;
    this.view = new DataView(larger.buffer);
  }
}
