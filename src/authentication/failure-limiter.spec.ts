import { beforeEach, describe, expect, it } from '@jest/globals';

import { TestClock } from '../../test/support/test-clock.js';
import { loadSettings } from '../config/load-settings.js';
import { AuthenticationFailureLimiter } from './failure-limiter.js';

const MINUTE = 60_000;
const HERE = '192.0.2.1';
const THERE = '192.0.2.2';

let clock: TestClock;

function limiter(limit = 3, windowMinutes = 5): AuthenticationFailureLimiter {
  const { settings } = loadSettings({
    env: {
      Service_AppOptions__ServiceAccountAuthFailureLimit: String(limit),
      Service_AppOptions__ServiceAccountAuthFailureWindowMinutes: String(windowMinutes),
    },
    cwd: '/nonexistent',
  });
  return new AuthenticationFailureLimiter(settings, clock);
}

function fail(under: AuthenticationFailureLimiter, times: number, address: string, credential: string | null): void {
  for (let time = 0; time < times; time += 1) under.failed(address, credential);
}

beforeEach(() => {
  clock = new TestClock();
});

describe('counting', () => {
  it('refuses nobody before the limit', () => {
    const under = limiter();
    expect(under.isThrottled(HERE, 'a')).toBe(false);
    fail(under, 2, HERE, 'a');
    expect(under.isThrottled(HERE, 'a')).toBe(false);
  });

  it('refuses address and credential, each by itself, once the limit is reached', () => {
    const under = limiter();
    fail(under, 3, HERE, 'a');
    expect(under.isThrottled(HERE, 'a')).toBe(true);
    expect(under.isThrottled(HERE, 'b')).toBe(true);
    expect(under.isThrottled(THERE, 'a')).toBe(true);
    expect(under.isThrottled(THERE, 'b')).toBe(false);
  });

  it('adds up over credentials for an address, and over addresses for a credential', () => {
    const byAddress = limiter();
    for (const credential of ['a', 'b', 'c']) byAddress.failed(HERE, credential);
    expect(byAddress.isThrottled(HERE, 'd')).toBe(true);
    expect(byAddress.isThrottled(THERE, 'a')).toBe(false);

    const byCredential = limiter();
    for (const address of ['192.0.2.7', '192.0.2.8', '192.0.2.9']) byCredential.failed(address, 'a');
    expect(byCredential.isThrottled(THERE, 'a')).toBe(true);
    expect(byCredential.isThrottled('192.0.2.7', 'b')).toBe(false);
  });

  it('counts nothing for credentials that do not exist', () => {
    const under = limiter();
    fail(under, 3, HERE, null);
    expect(under.isThrottled(HERE, 'a')).toBe(true);
    expect(under.isThrottled(THERE, 'a')).toBe(false);
  });
});

describe('a success', () => {
  it('clears both counters of the attempt, and no others', () => {
    const under = limiter();
    fail(under, 2, HERE, 'a');
    fail(under, 2, THERE, 'b');
    under.succeeded(HERE, 'a');
    fail(under, 1, HERE, 'a');
    expect(under.isThrottled(HERE, 'a')).toBe(false);
    fail(under, 1, THERE, 'b');
    expect(under.isThrottled(THERE, 'c')).toBe(true);
    expect(under.isThrottled(HERE, 'b')).toBe(true);
  });
});

describe('the window', () => {
  it('ends a refusal, and starts counting anew', () => {
    const under = limiter();
    fail(under, 3, HERE, 'a');
    clock.advance(4 * MINUTE);
    expect(under.isThrottled(HERE, 'a')).toBe(true);
    clock.advance(MINUTE);
    expect(under.isThrottled(HERE, 'a')).toBe(false);
    fail(under, 2, HERE, 'a');
    expect(under.isThrottled(HERE, 'a')).toBe(false);
    fail(under, 1, HERE, 'a');
    expect(under.isThrottled(HERE, 'a')).toBe(true);
  });

  it('runs from the first failure: later ones do not prolong it', () => {
    const under = limiter();
    fail(under, 1, HERE, 'a');
    clock.advance(4 * MINUTE);
    fail(under, 2, HERE, 'a');
    expect(under.isThrottled(HERE, 'a')).toBe(true);
    clock.advance(MINUTE);
    expect(under.isThrottled(HERE, 'a')).toBe(false);
  });
});

describe('switched off', () => {
  it.each([
    [0, 5],
    [3, 0],
  ])('by a limit of %i or a window of %i', (limit, window) => {
    const under = limiter(limit, window);
    fail(under, 100, HERE, 'a');
    expect(under.isThrottled(HERE, 'a')).toBe(false);
  });
});

describe('memory', () => {
  it('is bounded: under a flood from ever new addresses the oldest counters go first', () => {
    const under = limiter(1);
    fail(under, 1, HERE, null);
    for (let n = 0; n < 100_000; n += 1) under.failed(`address-${n}`, null);
    expect(under.isThrottled(HERE, 'a')).toBe(false);
    expect(under.isThrottled('address-99999', 'a')).toBe(true);
  });
});
