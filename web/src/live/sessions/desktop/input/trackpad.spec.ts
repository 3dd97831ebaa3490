import { describe, expect, it } from 'vitest';

import { nudged } from './trackpad.js';

describe('the pointer of a trackpad', () => {
  const size = { width: 1000, height: 500 };
  const middle = { x: 0.5, y: 0.5 };

  it('goes farther with a fast finger than with a slow one', () => {
    const slow = nudged(middle, { x: 10, y: 0 }, 100, size).x - 0.5;
    const fast = nudged(middle, { x: 10, y: 0 }, 5, size).x - 0.5;
    expect(slow).toBeCloseTo(0.008);
    expect(fast).toBeCloseTo(0.025);
  });

  it('stays on the display', () => {
    expect(nudged(middle, { x: -5000, y: 5000 }, 20, size)).toEqual({ x: 0, y: 1 });
    expect(nudged(middle, { x: 10, y: 10 }, 20, { width: 0, height: 0 })).toEqual(middle);
  });
});
