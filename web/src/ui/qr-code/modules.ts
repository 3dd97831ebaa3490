import { encode } from 'uqr';

/** The dark squares of a QR code as the path of an SVG, with the size of the code in squares. */
export function qrPath(text: string): { readonly path: string; readonly size: number } {
  const { data, size } = encode(text, { ecc: 'M', border: 0 });
  const runs: string[] = [];
  for (const [y, row] of data.entries()) {
    // One rectangle for each run of dark squares: a tenth of the elements.
    for (let x = 0; x < size; x += 1) {
      const start = x;
      while (x < size && row[x]) x += 1;
      if (x > start) runs.push(`M${start} ${y}h${x - start}v1h${start - x}z`);
    }
  }
  return { path: runs.join(''), size };
}
