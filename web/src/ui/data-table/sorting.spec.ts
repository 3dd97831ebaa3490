import { describe, expect, it } from 'vitest';

import { isDescending, nextSort, sortColumn, sortRows } from './sorting.js';

describe('sortRows', () => {
  it('sorts numbers within names by value, in any case of letters', () => {
    expect(sortRows(['lab-10', 'Lab-2', 'lab-1'], (name) => name, false)).toEqual(['lab-1', 'Lab-2', 'lab-10']);
  });

  it('puts rows without a value last in both directions', () => {
    const rows = [null, 3, undefined, 1];
    expect(sortRows(rows, (row) => row, false)).toEqual([1, 3, null, undefined]);
    expect(sortRows(rows, (row) => row, true)).toEqual([3, 1, null, undefined]);
  });

  it('keeps equal rows in their order and leaves the given list alone', () => {
    const rows = [
      { id: 1, on: true },
      { id: 2, on: false },
      { id: 3, on: true },
    ];
    expect(sortRows(rows, ({ on }) => on, false).map(({ id }) => id)).toEqual([2, 1, 3]);
    expect(rows.map(({ id }) => id)).toEqual([1, 2, 3]);
  });

  it('sorts instants by time', () => {
    const [early, late] = [new Date('2026-01-01T00:00:00Z'), new Date('2026-02-01T00:00:00Z')];
    expect(sortRows([early, late], (row) => row, true)).toEqual([late, early]);
  });
});

describe('the sort in the address', () => {
  it('turns the order round at the second click on the same header', () => {
    expect(nextSort(undefined, 'name')).toBe('name');
    expect(nextSort('name', 'name')).toBe('-name');
    expect(nextSort('-name', 'name')).toBe('name');
    expect(nextSort('-name', 'created')).toBe('created');
  });

  it('reads column and direction from the address', () => {
    expect([sortColumn('-name'), isDescending('-name')]).toEqual(['name', true]);
    expect([sortColumn('name'), isDescending('name')]).toEqual(['name', false]);
  });
});
