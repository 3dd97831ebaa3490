import { describe, expect, it } from 'vitest';

import { type Sample, withSample } from './samples.js';

const sample = (time: number): Sample & { readonly stats: object } => ({
  time,
  stats: { totalTenants: 1, onlineAgents: 0, totalAgents: 0, onlineUsers: 0, totalUsers: 1 },
});

describe('withSample', () => {
  it('keeps the first and the last of any number of samples', () => {
    let samples: readonly Sample[] = [];
    for (let time = 0; time < 5000; time += 1) samples = withSample(samples, sample(time));
    expect(samples.length).toBeLessThanOrEqual(2000);
    expect(samples[0].time).toBe(0);
    expect(samples.at(-1)?.time).toBe(4999);
    expect(samples.map(({ time }) => time)).toEqual(samples.map(({ time }) => time).toSorted((a, b) => a - b));
  });

  it('keeps each time without figures, once', () => {
    let samples: readonly Sample[] = [];
    for (let time = 0; time < 5000; time += 1) {
      const isOut = time > 0 && time % 1000 < 2;
      samples = withSample(samples, isOut ? { time, stats: null } : sample(time));
    }
    expect(samples.filter(({ stats }) => stats === null).map(({ time }) => Math.round(time / 1000))).toEqual([0, 1, 2, 3, 4]);
    expect(samples.length).toBeLessThanOrEqual(2000);
  });
});
