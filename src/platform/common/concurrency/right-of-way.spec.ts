import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { RightOfWay } from './right-of-way.js';

describe('RightOfWay', () => {
  let rightOfWay: RightOfWay;
  let proceeded: string[];

  beforeEach(() => {
    vi.useFakeTimers();
    rightOfWay = new RightOfWay();
    proceeded = [];
  });

  afterEach(() => {
    vi.useRealTimers();
  });

  async function give(name: string, atMostMs: number): Promise<void> {
    await rightOfWay.give(atMostMs);
    proceeded.push(name);
  }

  it('lets bulk work proceed at once when nothing is urgent', async () => {
    await give('before', 10);
    rightOfWay.begin();
    rightOfWay.end();
    await give('after', 10);
    expect(proceeded).toEqual(['before', 'after']);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('lets it proceed at the end of the last urgent work, and keeps no timer', async () => {
    rightOfWay.begin();
    rightOfWay.begin();
    const giving = [give('first', 10), give('second', 20)];
    rightOfWay.end();
    await vi.advanceTimersByTimeAsync(0);
    expect(proceeded).toEqual([]);
    rightOfWay.end();
    await Promise.all(giving);
    expect(proceeded).toEqual(['first', 'second']);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('lets it proceed after its time when urgent work goes on, and after 50 ms at the latest', async () => {
    rightOfWay.begin();
    void give('short', 10);
    void give('long', 60_000);
    await vi.advanceTimersByTimeAsync(9);
    expect(proceeded).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(proceeded).toEqual(['short']);
    await vi.advanceTimersByTimeAsync(40);
    expect(proceeded).toEqual(['short', 'long']);
  });
});
