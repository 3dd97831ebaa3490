import { describe, expect, it } from 'vitest';

import { OPTIONS } from '../config/options.js';
import type { Settings } from '../config/settings.js';
import { ALONE, drainTimes } from './drain-times.js';

describe('the times of a stop', () => {
  const times = (isAmongSeveral: boolean, drainDelaySeconds: number, drainSeconds: number): unknown =>
    drainTimes(isAmongSeveral, { drainDelaySeconds, drainSeconds } as Settings['nodes']);

  it('are those of the options among several processes', () => {
    const { drainDelaySeconds, drainSeconds } = OPTIONS.nodes;
    expect(times(true, drainDelaySeconds.defaultValue, drainSeconds.defaultValue)).toEqual({
      delayMs: 5_000,
      spreadMs: 20_000,
      leastPerSecond: 50,
      transfersMs: 20_000,
      listensOn: true,
    });
  });

  it('leave transfers no less time than a single process does', () => {
    expect(times(true, 0, 0)).toMatchObject({ delayMs: 0, spreadMs: 0, transfersMs: ALONE.transfersMs });
  });

  it('are short for a single process, whatever the options say', () => {
    expect(times(false, 5, 20)).toEqual(ALONE);
  });
});
