import { Logger } from '@nestjs/common';
import { afterEach, beforeEach, expect, it, vi, type MockInstance } from 'vitest';

import { TestClock } from '../../../test/support/application/test-clock.js';
import { MAXIMUM_MAILS_AN_HOUR, RecipientLimit } from './recipient-limit.js';

let warned: MockInstance<Logger['warn']>;
beforeEach(() => {
  warned = vi.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
});
afterEach(() => vi.restoreAllMocks());

it('lets ten mails of a kind to an address through in an hour, in any case of its letters, and logs the first dropped one', () => {
  const clock = new TestClock();
  clock.stop();
  const limit = new RecipientLimit(clock);
  const taken = (): number => ['ann@example.org', 'Ann@Example.org'].filter((address) => limit.takes('invitation', address)).length;
  for (let pair = 0; pair < MAXIMUM_MAILS_AN_HOUR / 2; pair += 1) expect(taken()).toBe(2);
  expect([taken(), taken()]).toEqual([0, 0]);
  expect(limit.takes('passwordChanged', 'ann@example.org')).toBe(true);
  expect(limit.takes('invitation', 'ben@example.org')).toBe(true);
  expect(warned).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ kind: 'invitation', to: 'ann@example.org' }) as object);
  clock.advance(60 * 60_000);
  expect(taken()).toBe(2);
});
