import { describe, expect, it } from 'vitest';

import { rowsInSight } from './row-window.js';

const sight = (top: number) => ({ top, rowHeight: 40, windowHeight: 800 });

describe('rows of a long list', () => {
  it('stand in the document around those in sight', () => {
    expect(rowsInSight(2000, sight(100))).toEqual({ first: 0, end: 40 });
    expect(rowsInSight(2000, sight(-40_000))).toEqual({ first: 980, end: 1040 });
    expect(rowsInSight(2000, sight(-79_200))).toEqual({ first: 1960, end: 2000 });
  });

  it('are some even where the list is far out of sight', () => {
    expect(rowsInSight(2000, sight(9_000))).toEqual({ first: 0, end: 10 });
    expect(rowsInSight(2000, sight(-200_000))).toEqual({ first: 1999, end: 2000 });
  });

  it('are all of a short list', () => {
    expect(rowsInSight(150, sight(-40_000))).toEqual({ first: 0, end: 150 });
  });
});
