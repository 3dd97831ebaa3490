import { describe, expect, it } from 'vitest';

import { LEAST_WIDTH, MOST_WIDTH } from './layout.js';
import { widthsAfter } from './widths.js';

const columns = [
  { id: 'name', width: 200, grow: 2 },
  { id: 'state', width: 90 },
  { id: 'user', width: 80, grow: 1 },
  { id: 'seen', width: 100, given: 140 },
];

describe('a column that becomes wider', () => {
  const shown = [412.6, 90, 206.4, 140];

  it('leaves columns before it where they are, and lets those behind it grow', () => {
    expect(widthsAfter(columns, shown, 'state', 120)).toEqual({ name: 413, state: 120 });
    expect(widthsAfter(columns, shown, 'seen', 120.4)).toEqual({ name: 413, user: 206, seen: 120 });
    expect(widthsAfter(columns, shown, 'name', 300)).toEqual({ name: 300 });
  });

  it('keeps the width of a column within its bounds', () => {
    expect(widthsAfter(columns, shown, 'name', -20)).toEqual({ name: LEAST_WIDTH });
    expect(widthsAfter(columns, shown, 'name', 1e6)).toEqual({ name: MOST_WIDTH });
  });
});
