import { describe, expect, it } from 'vitest';
import { DEFAULT_LIMITS, resolveLimits } from './hub-limits.js';

describe('the limits of a hub', () => {
  it('are the defaults where nothing was chosen', () => {
    expect(resolveLimits({ keepAliveMs: 1 })).toEqual({ ...DEFAULT_LIMITS, keepAliveMs: 1 });
  });

  it('let a burst wait before the client is disconnected', () => {
    expect(() => resolveLimits({ maximumUnsentBytes: 50_000, replayBurstSize: 50_001 })).toThrow(
      'replayBurstSize (50001) must not exceed maximumUnsentBytes (50000).',
    );
  });

  it.each(['sendHighWaterMark', 'replayBufferSize'] as const)('make the hub wait for a slow client before disconnecting it: %s', (name) => {
    const maximumUnsentBytes = 50_000;
    expect(resolveLimits({ maximumUnsentBytes })[name]).toBe(maximumUnsentBytes);
    expect(resolveLimits({ maximumUnsentBytes, [name]: maximumUnsentBytes })[name]).toBe(maximumUnsentBytes);
    expect(() => resolveLimits({ maximumUnsentBytes, [name]: maximumUnsentBytes + 1 })).toThrow(
      `${name} (50001) must not exceed maximumUnsentBytes (50000).`,
    );
  });
});
