import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { requireInTime } from './call-age.js';
import { Standstill } from './standstill.js';

describe('what a process reads', () => {
  let time: number;
  let standstill: Standstill;

  beforeEach(() => {
    vi.useFakeTimers();
    time = 1_000;
    vi.spyOn(performance, 'now').mockImplementation(() => time);
    standstill = new Standstill();
  });

  afterEach(() => {
    standstill.onApplicationShutdown();
    vi.restoreAllMocks();
    vi.useRealTimers();
  });

  function goOn(milliseconds: number): void {
    for (let passed = 0; passed < milliseconds; passed += 100) {
      time += 100;
      vi.advanceTimersByTime(100);
    }
  }

  /** Milliseconds for which it may have waited. */
  const waited = (): number => time - standstill.arrivedSince();

  const requireRead = (): void => requireInTime(standstill.arrivedSince());

  it('has just arrived while the process goes on', () => {
    goOn(60_000);
    expect(waited()).toBe(0);
    expect(requireRead).not.toThrow();
  });

  it('may have arrived at the beginning of a standstill that ended within a second, whether it or the timer comes first', () => {
    goOn(10_000);
    time += 8_000;
    expect(waited()).toBe(8_000);
    goOn(900);
    expect(waited()).toBe(8_900);
    expect(requireRead).toThrow('in time');
    goOn(200);
    expect(waited()).toBe(0);
    time += 8_000;
    vi.advanceTimersByTime(500);
    expect(waited()).toBeGreaterThanOrEqual(8_000);
  });

  it('may have arrived in a long standstill also when a short one follows on that', () => {
    goOn(10_000);
    time += 8_000;
    expect(waited()).toBe(8_000);
    goOn(500);
    time += 1_500;
    expect(waited()).toBe(10_000);
    expect(requireRead).toThrow('in time');
    goOn(1_100);
    expect(waited()).toBe(0);
  });

  it('has waited for no longer than the last of many short standstills, as of a process with too much to do', () => {
    goOn(10_000);
    for (let count = 0; count < 10; count += 1) {
      time += 2_000;
      expect(waited()).toBe(2_000);
      goOn(500);
    }
    expect(requireRead).not.toThrow();
  });

  it('is dated by the standstill before it, also when another one has ended since', () => {
    goOn(10_000);
    time += 3_000;
    goOn(500);
    const readAt = time;
    expect(time - standstill.arrivedSince(readAt)).toBe(3_500);
    goOn(1_000);
    time += 1_200;
    goOn(500);
    expect(time - standstill.arrivedSince(readAt)).toBe(6_200);
    expect(time - standstill.arrivedSince(readAt + 1_000)).toBe(1_700);
  });

  it('has just arrived after a pause as of a process with much to do', () => {
    goOn(10_000);
    time += 900;
    expect(waited()).toBe(0);
  });
});
