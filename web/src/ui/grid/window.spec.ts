import { describe, expect, it } from 'vitest';

import { rowsIn, scrollTopFor } from './window.js';

const list = { scrollTop: 0, height: 400, rowHeight: 40, count: 100_000 };

describe('rowsIn', () => {
  it('has the rows that are seen and some on both sides', () => {
    expect(rowsIn(list, 0)).toEqual({ first: 0, last: 9 });
    expect(rowsIn({ ...list, scrollTop: 4010 }, 0)).toEqual({ first: 100, last: 110 });
    expect(rowsIn({ ...list, scrollTop: 4000 }, 20)).toEqual({ first: 80, last: 129 });
  });

  it('stays within the list', () => {
    expect(rowsIn(list, 20)).toEqual({ first: 0, last: 29 });
    expect(rowsIn({ ...list, scrollTop: 3_999_600 }, 20)).toEqual({ first: 99_970, last: 99_999 });
    // The list has become shorter than it was scrolled.
    expect(rowsIn({ ...list, scrollTop: 4000, count: 3 }, 20)).toEqual({ first: 2, last: 2 });
    expect(rowsIn({ ...list, count: 0 }, 20)).toEqual({ first: 0, last: -1 });
  });
});

describe('scrollTopFor', () => {
  const scrolled = { ...list, scrollTop: 4000 };

  it('leaves a row that is seen where it is', () => {
    for (const index of [100, 108]) expect(scrollTopFor(index, 36, scrolled)).toBe(4000);
  });

  it('brings a row above to the head, and one below to the end', () => {
    expect(scrollTopFor(99, 36, scrolled)).toBe(3960);
    expect(scrollTopFor(110, 36, scrolled)).toBe(111 * 40 + 36 - 400);
    expect(scrollTopFor(0, 36, scrolled)).toBe(0);
  });
});
