import { describe, expect, it } from 'vitest';

import { cellsBetween, firstPlace, lastPlace, nextPlace, type Places } from './block.js';
import { CUSTOMER, SERVER, TENANT } from '../examples.js';

const at = (permission: string, scope: typeof TENANT) => [{ permission, scope }];
const [a, b, c] = [at('a', TENANT), at('b', TENANT), at('b', CUSTOMER)];
/** Under a category: `a` is legal in the tenant only, `b` everywhere but at the server. */
const PLACES: Places = [
  [[], [...a, ...b], c],
  [[], a, []],
  [[], b, c],
  [at('s', SERVER), [], []],
];
const DOWN = [1, 0] as const;
const LEFT = [0, -1] as const;
const RIGHT = [0, 1] as const;

describe('the keyboard', () => {
  it('enters the matrix at the first place with cells', () => {
    expect(firstPlace(PLACES)).toEqual({ row: 0, column: 1 });
    expect(firstPlace([[[]]])).toBeNull();
  });

  it('moves past places without cells and stops at the edge', () => {
    expect(nextPlace(PLACES, { row: 0, column: 2 }, DOWN)).toEqual({ row: 2, column: 2 });
    expect(nextPlace(PLACES, { row: 1, column: 1 }, RIGHT)).toBeNull();
    expect(nextPlace(PLACES, { row: 2, column: 1 }, LEFT)).toBeNull();
  });

  it('goes to the last place of a line', () => {
    expect(lastPlace(PLACES, { row: 2, column: 1 }, RIGHT)).toEqual({ row: 2, column: 2 });
    expect(lastPlace(PLACES, { row: 1, column: 1 }, RIGHT)).toEqual({ row: 1, column: 1 });
  });
});

describe('a block', () => {
  it('selects the cells between two places, those of a category once', () => {
    expect(cellsBetween(PLACES, { row: 0, column: 1 }, { row: 2, column: 1 })).toEqual([...a, ...b]);
    expect(cellsBetween(PLACES, { row: 2, column: 2 }, { row: 1, column: 1 })).toEqual([...a, ...b, ...c]);
  });
});
