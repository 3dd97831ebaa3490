import { describe, expect, it } from 'vitest';

import { placesSeen, rowsAround, scrollTopFor } from './window.js';

const list = { scrollTop: 0, height: 400, rowHeight: 40 };

describe('placesSeen', () => {
  it('finds the visible rows, also partly visible ones', () => {
    expect(placesSeen(list)).toEqual({ first: 0, last: 9 });
    expect(placesSeen({ ...list, scrollTop: 4010 })).toEqual({ first: 100, last: 110 });
  });
});

describe('rowsAround', () => {
  const seen = { first: 100, last: 109 };

  it('renders the visible rows and some on both sides', () => {
    expect(rowsAround(seen, 100_000, 0)).toEqual(seen);
    expect(rowsAround(seen, 100_000, 20)).toEqual({ first: 80, last: 129 });
  });

  it('renders rows within the list only', () => {
    expect(rowsAround({ first: 0, last: 9 }, 100_000, 20)).toEqual({ first: 0, last: 29 });
    expect(rowsAround({ first: 99_990, last: 99_999 }, 100_000, 20)).toEqual({ first: 99_970, last: 99_999 });
    // The list has become shorter than it was scrolled.
    expect(rowsAround(seen, 3, 20)).toEqual({ first: 2, last: 2 });
    expect(rowsAround({ first: 0, last: 9 }, 0, 20)).toEqual({ first: 0, last: -1 });
  });
});

describe('scrollTopFor', () => {
  const scrolled = { ...list, scrollTop: 4000 };

  it('does not scroll to a visible row', () => {
    for (const index of [100, 108]) expect(scrollTopFor(index, 36, scrolled)).toBe(4000);
  });

  it('scrolls a row above to the head, and one below to the end', () => {
    expect(scrollTopFor(99, 36, scrolled)).toBe(3960);
    expect(scrollTopFor(110, 36, scrolled)).toBe(111 * 40 + 36 - 400);
    expect(scrollTopFor(0, 36, scrolled)).toBe(0);
  });
});
