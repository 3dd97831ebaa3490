import { describe, expect, it } from 'vitest';

import { cursorStyle } from './cursor.js';

const custom = (png: string | null, cursor = 9) =>
  cursorStyle({ cursor: cursor as 9, customCursorBase64Png: png, xHotspot: 3, yHotspot: 4 });

describe('the pointer of the device', () => {
  it('is one of the browser, or a picture with its hot spot', () => {
    expect(custom(null, 2)).toBe('text');
    expect(custom(null)).toBe('default');
    expect(custom('iVBORw0=')).toBe('url("data:image/png;base64,iVBORw0=") 3 4, default');
  });

  it('is no picture where its text could end the address', () => {
    expect(custom('iVBO") 0 0, url("https://example.org')).toBe('default');
  });
});
