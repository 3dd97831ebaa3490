import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Logger } from '@nestjs/common';

import { TestClock } from '../../../../test/support/application/test-clock.js';
import { loadSettings } from '../../../platform/config/load-settings.js';
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

function isRefused(under: AuthenticationFailureLimiter, address: string, credential: string): boolean {
  return under.refusedFor(address, credential) > 0;
}

function fail(under: AuthenticationFailureLimiter, times: number, address: string, credential: string | null): void {
  for (let time = 0; time < times; time += 1) under.failed(address, credential);
}

let lines: unknown[];

beforeEach(() => {
  clock = new TestClock();
  lines = [];
  Logger.overrideLogger({ warn: (line: unknown) => lines.push(line), log: () => undefined, error: () => undefined });
});

afterEach(() => Logger.overrideLogger(false));

describe('the count of failures', () => {
  it('refuses no attempt before the limit is reached', () => {
    const under = limiter();
    expect(isRefused(under, HERE, 'a')).toBe(false);
    fail(under, 2, HERE, 'a');
    expect(isRefused(under, HERE, 'a')).toBe(false);
  });

  it('counts the addresses of an IPv6 /64 as one', () => {
    const under = limiter();
    for (const end of [1, 2, 3]) under.failed(`2001:db8:0:1::${end}`, null);
    expect(isRefused(under, '2001:db8:0:1::4', 'a')).toBe(true);
    expect(isRefused(under, '2001:db8:0:2::1', 'a')).toBe(false);
  });

  it('refuses an address or a credential once it reaches the limit', () => {
    const under = limiter();
    fail(under, 3, HERE, 'a');
    expect(isRefused(under, HERE, 'a')).toBe(true);
    expect(isRefused(under, HERE, 'b')).toBe(true);
    expect(isRefused(under, THERE, 'a')).toBe(true);
    expect(isRefused(under, THERE, 'b')).toBe(false);
  });

  it('counts an address across credentials, and a credential across addresses', () => {
    const byAddress = limiter();
    for (const credential of ['a', 'b', 'c']) byAddress.failed(HERE, credential);
    expect(isRefused(byAddress, HERE, 'd')).toBe(true);
    expect(isRefused(byAddress, THERE, 'a')).toBe(false);

    const byCredential = limiter();
    for (const address of ['192.0.2.7', '192.0.2.8', '192.0.2.9']) byCredential.failed(address, 'a');
    expect(isRefused(byCredential, THERE, 'a')).toBe(true);
    expect(isRefused(byCredential, '192.0.2.7', 'b')).toBe(false);
  });

  it('keeps no counter for a credential that does not exist', () => {
    const under = limiter();
    fail(under, 3, HERE, null);
    expect(isRefused(under, HERE, 'a')).toBe(true);
    expect(isRefused(under, THERE, 'a')).toBe(false);
  });
});

describe('a successful authentication', () => {
  it('clears both counters of the attempt, and no others', () => {
    const under = limiter();
    fail(under, 2, HERE, 'a');
    fail(under, 2, THERE, 'b');
    under.succeeded(HERE, 'a');
    fail(under, 1, HERE, 'a');
    expect(isRefused(under, HERE, 'a')).toBe(false);
    fail(under, 1, THERE, 'b');
    expect(isRefused(under, THERE, 'c')).toBe(true);
    expect(isRefused(under, HERE, 'b')).toBe(true);
  });
});

describe('the window of a count', () => {
  it('ends the refusal and restarts the count', () => {
    const under = limiter();
    fail(under, 3, HERE, 'a');
    clock.advance(4 * MINUTE);
    expect(isRefused(under, HERE, 'a')).toBe(true);
    clock.advance(MINUTE);
    expect(isRefused(under, HERE, 'a')).toBe(false);
    fail(under, 2, HERE, 'a');
    expect(isRefused(under, HERE, 'a')).toBe(false);
    fail(under, 1, HERE, 'a');
    expect(isRefused(under, HERE, 'a')).toBe(true);
  });

  it('starts at the first failure; later failures do not prolong it', () => {
    const under = limiter();
    fail(under, 1, HERE, 'a');
    clock.advance(4 * MINUTE);
    fail(under, 2, HERE, 'a');
    expect(isRefused(under, HERE, 'a')).toBe(true);
    clock.advance(MINUTE);
    expect(isRefused(under, HERE, 'a')).toBe(false);
  });
});

describe('a refusal', () => {
  it('lasts until both the address and the credential are free', () => {
    const under = limiter(1);
    clock.stop();
    fail(under, 1, HERE, null);
    clock.advance(MINUTE);
    fail(under, 1, THERE, 'a');
    expect(under.refusedFor(HERE, 'a')).toBe(5 * MINUTE);
    expect(under.refusedFor(HERE, 'b')).toBe(4 * MINUTE);
    expect(under.refusedFor('192.0.2.3', 'b')).toBe(0);
  });

  it('is logged once per window for the address and once for the credential', () => {
    const under = limiter(2);
    fail(under, 3, HERE, 'a');
    clock.advance(5 * MINUTE);
    fail(under, 2, HERE, null);
    const [address, credential] = [`address ${HERE}`, 'credential a'].map(
      (what) => `Authentication failed 2 times for the ${what}, which is refused for 300 seconds.`,
    );
    expect(lines).toEqual([address, credential, address]);
  });
});

describe('the limiter is switched off', () => {
  it.each([
    [0, 5],
    [3, 0],
  ])('by a limit of %i or a window of %i', (limit, window) => {
    const under = limiter(limit, window);
    fail(under, 100, HERE, 'a');
    expect(isRefused(under, HERE, 'a')).toBe(false);
  });
});

describe('the memory of the limiter', () => {
  it('is bounded: a flood from new addresses drops the oldest counters', () => {
    const under = limiter(1);
    fail(under, 1, HERE, null);
    for (let n = 0; n < 100_000; n += 1) under.failed(`address-${n}`, null);
    expect(isRefused(under, HERE, 'a')).toBe(false);
    expect(isRefused(under, 'address-99999', 'a')).toBe(true);
  });
});
