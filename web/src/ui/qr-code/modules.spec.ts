import { encode } from 'uqr';
import { describe, expect, it } from 'vitest';

import { qrPath } from './modules.js';

describe('qrPath', () => {
  it('draws exactly the dark squares of the code', () => {
    const text = 'https://devices.example.com/install?key=8c1f0f6e';
    const { path, size } = qrPath(text);
    const drawn = Array.from({ length: size }, () => Array.from({ length: size }, () => false));
    for (const [, x, y, width] of path.matchAll(/M(\d+) (\d+)h(\d+)v1h-\d+z/g)) {
      for (let offset = 0; offset < Number(width); offset += 1) drawn[Number(y)][Number(x) + offset] = true;
    }
    expect(drawn).toEqual(encode(text, { ecc: 'M', border: 0 }).data);
  });
});
