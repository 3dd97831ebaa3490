import { describe, expect, it } from 'vitest';

import { shareAlone, shareBeside, Shares } from './shares.js';

describe('Shares', () => {
  it('gives nearly all to a lone user, and leaves a part for the next', () => {
    const shares = new Shares(() => 16);
    for (let place = 0; place < 14; place += 1) expect(shares.take('a')).toBe(true);
    expect([shares.take('a'), shares.take('b'), shares.take('b'), shares.take('b')]).toEqual([false, true, true, false]);
  });

  it('gives no user more than half beside others, until they are gone', () => {
    const shares = new Shares(() => 16);
    shares.take('b');
    expect([shares.take('a', 8), shares.take('a'), shares.hasRoomFor('a')]).toEqual([true, false, false]);
    shares.give('b');
    expect([shares.take('a', 6), shares.take('a')]).toEqual([true, false]);
  });

  it('lets a later user have half as soon as the first one gives back', () => {
    const shares = new Shares(() => 16);
    shares.take('a', 14);
    shares.take('b', 2);
    shares.give('a', 6);
    expect([shares.take('a'), shares.take('b', 6), shares.take('b')]).toEqual([false, true, false]);
  });

  it.each([
    [1, 1, 1],
    [2, 1, 1],
    [3, 2, 2],
    [10, 9, 5],
    [10_000, 8_750, 5_000],
    [0, 0, 0],
  ])('divide %d: %d for a lone user, and %d for one beside others', (total, alone, beside) => {
    expect([shareAlone(total), shareBeside(total)]).toEqual([alone, beside]);
  });
});
