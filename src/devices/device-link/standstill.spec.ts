import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { Standstill } from './standstill.js';

describe('a standstill of the process', () => {
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

  it('is not seen while the process goes on', () => {
    goOn(60_000);
    expect(standstill.hasJustEnded).toBe(false);
  });

  it('is seen for a second, whether the timer or what is read comes first', () => {
    goOn(10_000);
    time += 8_000;
    expect(standstill.hasJustEnded).toBe(true);
    goOn(900);
    expect(standstill.hasJustEnded).toBe(true);
    goOn(200);
    expect(standstill.hasJustEnded).toBe(false);
    time += 8_000;
    vi.advanceTimersByTime(500);
    expect(standstill.hasJustEnded).toBe(true);
  });

  it('is none that lasts for a moment', () => {
    time += 3_000;
    expect(standstill.hasJustEnded).toBe(false);
  });
});
