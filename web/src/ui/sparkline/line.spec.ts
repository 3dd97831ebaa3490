import { describe, expect, it } from 'vitest';

import { linePath } from './line.js';

describe('linePath', () => {
  it('draws a line from the start of the box to its end', () => {
    expect(linePath([0, 5, 10], 100, 20, 10)).toBe('M0 20L50 10L100 0');
  });

  it('leaves a gap in the line at a missing value, with a dot for a value alone', () => {
    expect(linePath([1, null, 1], 100, 10, 1)).toBe('M0 0h0M100 0h0');
  });

  it('keeps values within the box, and draws nothing without values', () => {
    expect(linePath([-5, 50], 10, 10, 10)).toBe('M0 10L10 0');
    expect(linePath([], 10, 10, 1)).toBe('');
    expect(linePath([3], 10, 10, 0)).toBe('M0 10h0');
  });
});
