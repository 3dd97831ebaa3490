import { describe, expect, it } from 'vitest';

import { shownSize } from './shown-size.js';

describe('the size of a shown display', () => {
  const display = { width: 1920, height: 1080 };

  it('is as large as its place lets it', () => {
    expect(shownSize(display, { width: 960, height: 2000 }, 'fit', 1)).toEqual({ width: 960, height: 540 });
    expect(shownSize(display, { width: 3840, height: 1080 }, 'fit', 1)).toEqual(display);
  });

  it('is that of the display in pixels of the screen', () => {
    expect(shownSize(display, { width: 100, height: 100 }, 'actual', 2)).toEqual({ width: 960, height: 540 });
  });
});
