import { inflateSync } from 'node:zlib';

/** A picture: red, green and blue of each pixel. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly rgb: Buffer;
}

/** Decodes PNG of the kinds that the agent writes: palettes of 1 to 8 bits and true colour, without filters. */
export function decodePng(bytes: Uint8Array): Picture {
  const png = Buffer.from(bytes);
  let palette: Buffer = Buffer.alloc(0);
  let data: Buffer = Buffer.alloc(0);
  for (let at = 8; at < png.length;) {
    const length = png.readUInt32BE(at);
    const name = png.toString('latin1', at + 4, at + 8);
    const body = png.subarray(at + 8, at + 8 + length);
    if (name === 'PLTE') palette = body;
    if (name === 'IDAT') data = Buffer.concat([data, body]);
    at += 12 + length;
  }
  const [width, height, depth, kind] = [png.readUInt32BE(16), png.readUInt32BE(20), png[24], png[25]];
  const rows = inflateSync(data);
  const rgb = Buffer.alloc(width * height * 3);
  const rowBytes = 1 + (kind === 3 ? Math.ceil((width * depth) / 8) : width * 3);
  for (let y = 0; y < height; y += 1) {
    if (rows[y * rowBytes] !== 0) throw new Error('The PNG has a filter.');
    const row = rows.subarray(y * rowBytes + 1, (y + 1) * rowBytes);
    if (kind === 2) row.copy(rgb, y * width * 3);
    else
      for (let x = 0; x < width; x += 1) {
        const bit = x * depth;
        const index = (row[bit >> 3] >> (8 - depth - (bit & 7))) & ((1 << depth) - 1);
        palette.copy(rgb, (y * width + x) * 3, index * 3, index * 3 + 3);
      }
  }
  return { width, height, rgb };
}
