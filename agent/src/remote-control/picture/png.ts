import { crc32, deflateSync } from 'node:zlib';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const PALETTE = 3;
const TRUE_COLOUR = 2;
const TRUE_COLOUR_WITH_ALPHA = 6;
const MAX_COLOURS = 256;
const COLOUR = 0xffffff;
/** Places of the table that finds the index of a colour. A power of two, and four times what it holds. */
const TABLE = 1024;
/** Text compresses as well at the lowest level, in a third of the time. */
const FAST = 1;
const USUAL = 3;

/** A rectangle of 32-bit pixels (blue, green, red, unused) in memory. */
export interface PixelArea {
  readonly pixels: Uint32Array;
  /** Pixels of a whole row. */
  readonly stride: number;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Encodes an area of at most 256 colours, exactly. Undefined if it has more. */
export function palettePng(area: PixelArea): Buffer | undefined {
  const indexed = indexesOf(area);
  if (indexed === undefined) return undefined;
  const { colours, indexes } = indexed;
  const depth = colours.length <= 2 ? 1 : colours.length <= 4 ? 2 : colours.length <= 16 ? 4 : 8;
  const palette = Buffer.alloc(colours.length * 3);
  colours.forEach((colour, index) => palette.writeUIntBE(colour, index * 3, 3));
  const { width, height } = area;
  return png({ width, height, depth, kind: PALETTE }, packed(indexes, width, height, depth), FAST, chunk('PLTE', palette));
}

/** Encodes an area of any number of colours, exactly. */
export function trueColourPng({ pixels, stride, x, y, width, height }: PixelArea): Buffer {
  const rows = Buffer.alloc(height * (1 + width * 3));
  let to = 0;
  for (let row = 0; row < height; row += 1) {
    const start = (y + row) * stride + x;
    to += 1;
    for (let at = start; at < start + width; at += 1) {
      const pixel = pixels[at];
      rows[to] = (pixel >>> 16) & 0xff;
      rows[to + 1] = (pixel >>> 8) & 0xff;
      rows[to + 2] = pixel & 0xff;
      to += 3;
    }
  }
  return png({ width, height, depth: 8, kind: TRUE_COLOUR }, rows, USUAL);
}

/** Encodes a small picture with transparency: red, green, blue and alpha of each pixel. */
export function transparentPng(width: number, height: number, rgba: Buffer): Buffer {
  const rows = Buffer.alloc(height * (1 + width * 4));
  for (let row = 0; row < height; row += 1) rgba.copy(rows, row * (1 + width * 4) + 1, row * width * 4, (row + 1) * width * 4);
  return png({ width, height, depth: 8, kind: TRUE_COLOUR_WITH_ALPHA }, rows, USUAL);
}

/** Numbers the colours of an area in the order in which they come. */
function indexesOf({ pixels, stride, x, y, width, height }: PixelArea): { colours: number[]; indexes: Uint8Array } | undefined {
  const keys = new Int32Array(TABLE).fill(-1);
  const values = new Uint8Array(TABLE);
  const colours: number[] = [];
  const indexes = new Uint8Array(width * height);
  let last = -1;
  let index = 0;
  let to = 0;
  for (let row = 0; row < height; row += 1) {
    const start = (y + row) * stride + x;
    for (let at = start; at < start + width; at += 1) {
      const colour = pixels[at] & COLOUR;
      if (colour !== last) {
        last = colour;
        let place = (Math.imul(colour, 0x9e3779b1) >>> 22) & (TABLE - 1);
        while (keys[place] !== colour && keys[place] !== -1) place = (place + 1) & (TABLE - 1);
        if (keys[place] === -1) {
          if (colours.length === MAX_COLOURS) return undefined;
          keys[place] = colour;
          values[place] = colours.length;
          colours.push(colour);
        }
        index = values[place];
      }
      indexes[to] = index;
      to += 1;
    }
  }
  return { colours, indexes };
}

/** The rows of a picture: a filter byte each, and as many pixels in a byte as it holds. */
function packed(indexes: Uint8Array, width: number, height: number, depth: number): Buffer {
  const perByte = 8 / depth;
  const rowBytes = Math.ceil(width / perByte);
  const rows = Buffer.alloc(height * (1 + rowBytes));
  for (let row = 0; row < height; row += 1) {
    const [from, to] = [row * width, row * (1 + rowBytes) + 1];
    if (depth === 8) rows.set(indexes.subarray(from, from + width), to);
    else
      for (let at = 0; at < width; at += 1)
        rows[to + Math.floor(at / perByte)] |= indexes[from + at] << (8 - depth - (at % perByte) * depth);
  }
  return rows;
}

interface Header {
  readonly width: number;
  readonly height: number;
  readonly depth: number;
  readonly kind: number;
}

function png({ width, height, depth, kind }: Header, rows: Buffer, level: number, ...before: Buffer[]): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.writeUInt8(depth, 8);
  header.writeUInt8(kind, 9);
  const data = chunk('IDAT', deflateSync(rows, { level }));
  return Buffer.concat([SIGNATURE, chunk('IHDR', header), ...before, data, chunk('IEND', Buffer.alloc(0))]);
}

function chunk(name: string, data: Buffer): Buffer {
  const bytes = Buffer.alloc(12 + data.length);
  bytes.writeUInt32BE(data.length, 0);
  bytes.write(name, 4, 'latin1');
  data.copy(bytes, 8);
  bytes.writeUInt32BE(crc32(bytes.subarray(4, 8 + data.length)), 8 + data.length);
  return bytes;
}
