import { setImmediate as nextTurn } from 'node:timers/promises';

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { collectOnceIdle, ownProcess } from './idle-collection.js';

/** Collections after each interval, at these shares of work. */
function collectionsAt(shares: readonly number[]): number[] {
  const utilization = vi.fn().mockReturnValueOnce(0);
  for (const share of shares) utilization.mockReturnValueOnce(share);
  const collect = vi.fn();
  collectOnceIdle({ utilization, collect });
  return shares.map(() => {
    vi.advanceTimersByTime(5_000);
    return collect.mock.calls.length;
  });
}

describe('the collection of an idle process', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('waits while there is work', () => {
    expect(collectionsAt([0.9, 0.06, 0.5])).toEqual([0, 0, 0]);
  });

  it('comes twice, each after an idle interval, and never again', () => {
    expect(collectionsAt([0.9, 0.01, 0.3, 0.05, 0, 0])).toEqual([0, 1, 1, 2, 2, 2]);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('the collector of this process', () => {
  it('frees what nothing refers to, and leaves no collector to others', async () => {
    const held = { target: {} as object | null };
    const reference = new WeakRef(held.target ?? {});
    held.target = null;
    const { collect } = ownProcess();
    // A reference that was just made counts until the turn ends.
    await nextTurn();
    collect();
    await nextTurn();
    expect(reference.deref()).toBeUndefined();
    expect(globalThis.gc).toBeUndefined();
  });

  it('knows how much of the time it worked', async () => {
    const { utilization } = ownProcess();
    utilization();
    const until = performance.now() + 20;
    while (performance.now() < until);
    expect(utilization()).toBeGreaterThan(0.05);
    await nextTurn();
  });
});
