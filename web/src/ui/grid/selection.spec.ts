import { describe, expect, it } from 'vitest';

import { moveFocus, Selection } from './selection.js';

describe('the selection of a grid', () => {
  it('adds, removes and replaces rows without changing the former selection', () => {
    const one = Selection.none.toggled(['a']);
    const two = one.with(['b', 'a']);

    expect(two.ids).toEqual(['a', 'b']);
    expect(two.toggled(['a']).ids).toEqual(['b']);
    expect(two.only(['c']).ids).toEqual(['c']);
    expect(two.without(['b', 'c']).ids).toEqual(['a']);
    expect(one.ids).toEqual(['a']);
    expect(Selection.none.size).toBe(0);
  });

  it('holds all rows of a list but those that are taken out', () => {
    const all = Selection.all(25_001);
    const some = all.toggled(['a', 'b']).with(['b']);

    expect([all.size, all.has('a'), all.isAll]).toEqual([25_001, true, true]);
    expect([some.size, some.has('a'), some.has('b')]).toEqual([25_000, false, true]);
    expect(some.ids).toEqual(['a']);
    expect(some.only([]).size).toBe(0);
  });
});

describe('the focus of a grid', () => {
  it('moves the focus and keeps it within the rows', () => {
    expect(moveFocus('row-next', 4, 10, 5)).toBe(5);
    expect(moveFocus('row-previous', 0, 10, 5)).toBe(0);
    expect(moveFocus('row-page-down', 8, 10, 5)).toBe(9);
    expect(moveFocus('row-last', 0, 10, 5)).toBe(9);
    expect(moveFocus('row-open', 0, 10, 5)).toBeNull();
    expect(moveFocus('row-last', 0, 0, 5)).toBeNull();
  });
});
