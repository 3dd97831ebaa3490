import { describe, expect, it } from 'vitest';

import { nextRows, partsOf } from './migration-steps.js';

describe('the rows of the next step', () => {
  it.each([
    ['doubles after a fast one', 1_000, 10, 2_000],
    ['stays after one of the aimed time', 1_000, 200, 1_000],
    ['shrinks after a slow one', 1_000, 1_000, 200],
    ['has a least', 1_000, 60_000, 100],
    ['has a most', 40_000, 0, 50_000],
  ])('%s', (_what, rows, tookMs, next) => {
    expect(nextRows(rows, tookMs)).toBe(next);
  });
});

it('the parts of an upgrade are the migrations before, between and after those with steps', () => {
  const migration = (name: string, marks = {}): { name: string; up: () => Promise<void>; down: () => Promise<void> } => ({
    name,
    up: () => Promise.resolve(),
    down: () => Promise.resolve(),
    ...marks,
  });
  const [one, two, three] = ['one', 'two', 'three'].map((name) => migration(name));
  const stepped = migration('stepped', { step: 'UPDATE' });
  const last = migration('last', { step: 'UPDATE' });
  expect(partsOf([])).toEqual([]);
  expect(partsOf([one, two, stepped, three, last])).toEqual([[one, two], stepped, [three], last]);
});
