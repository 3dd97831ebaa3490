import { describe, expect, it } from 'vitest';

import { BalanceBounds } from './balance-bounds.js';
import { isInVain, type NodeShare, surplusOf } from './balance.js';

const BOUNDS = new BalanceBounds();
const LETTING_GO = { begunWith: 5_000, released: 100 };

const share = (id: string, connections: number, changes: Partial<NodeShare> = {}): NodeShare => ({
  id,
  connections,
  isDraining: false,
  isSettled: true,
  ...changes,
});

describe('the surplus of a node', () => {
  it.each([
    ['is what it has above 1.1 times the mean', [6_000, 3_000, 0], null, 2_700],
    ['begins above 1.2 times the mean', [1_200, 900, 900], null, 0],
    ['lasts until 1.1 times the mean', [1_200, 900, 900], LETTING_GO, 100],
    ['ends at 1.1 times the mean', [1_100, 950, 950], LETTING_GO, 0],
    ['is none of a node with less than the mean', [0, 5_000, 5_000], null, 0],
    ['is none of a node with few connections', [100, 0, 0], null, 0],
    ['is none of a single node', [5_000], null, 0],
  ] as const)('%s', (_what, [own, ...others], lettingGo, surplus) => {
    const shares = [share('own', own), ...others.map((connections, index) => share(`other ${index}`, connections))];
    expect(surplusOf('own', shares, lettingGo, BOUNDS)).toBe(surplus);
  });

  it('is none while any node drains, itself or another', () => {
    expect(surplusOf('own', [share('own', 5_000), share('other', 0), share('third', 0, { isDraining: true })], null, BOUNDS)).toBe(0);
    expect(surplusOf('own', [share('own', 5_000, { isDraining: true }), share('other', 0)], null, BOUNDS)).toBe(0);
  });

  it('leaves out a node that has just started', () => {
    expect(surplusOf('own', [share('own', 5_000), share('other', 5_000), share('new', 0, { isSettled: false })], null, BOUNDS)).toBe(0);
    expect(surplusOf('own', [share('own', 5_000), share('new', 0, { isSettled: false })], null, BOUNDS)).toBe(0);
  });

  it('is none of a node that has no row', () => {
    expect(surplusOf('own', [share('one', 0), share('two', 0)], null, BOUNDS)).toBe(0);
  });
});

describe('letting agents go', () => {
  it.each([
    ['while it is not known whether they stay away', { begunWith: 5_000, released: 900 }, 5_000, false],
    ['when half of them stay away', { begunWith: 5_000, released: 1_000 }, 4_500, false],
    ['when they come back', { begunWith: 5_000, released: 1_000 }, 4_800, true],
    ['when more come than before', { begunWith: 5_000, released: 1_000 }, 5_200, true],
  ])('is known to be in vain: %s', (_when, lettingGo, connections, inVain) => {
    expect(isInVain(lettingGo, connections, BOUNDS)).toBe(inVain);
  });
});
