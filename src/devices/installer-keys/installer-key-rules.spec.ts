import { describe, expect, it } from 'vitest';

import { DomainError } from '../../platform/common/errors/errors.js';
import { KeyState, limitsOf, stateOf } from './installer-key-rules.js';
import { InstallerKeyType } from './installer-key.entity.js';

const { UsageBased, TimeBased, Persistent, Unknown } = InstallerKeyType;
const NOW = Date.UTC(2026, 10, 20, 12);
const DAY = 24 * 60 * 60 * 1000;
const at = (offset: number): Date => new Date(NOW + offset);

describe('the limits of a new key', () => {
  it.each([
    [
      { keyType: UsageBased, allowedUses: 5, expiration: null },
      { allowedUses: 5, expiration: at(DAY) },
    ],
    [
      { keyType: UsageBased, allowedUses: 5, expiration: at(-DAY) },
      { allowedUses: 5, expiration: at(DAY) },
    ],
    [
      { keyType: UsageBased, allowedUses: null, expiration: at(9 * DAY) },
      { allowedUses: null, expiration: at(DAY) },
    ],
    [
      { keyType: TimeBased, allowedUses: 0, expiration: at(1) },
      { allowedUses: null, expiration: at(1) },
    ],
    [
      { keyType: Persistent, allowedUses: 0, expiration: at(1) },
      { allowedUses: null, expiration: null },
    ],
  ])('%j', (asked, limits) => {
    expect(limitsOf(asked, NOW)).toEqual({ keyType: asked.keyType, ...limits });
  });

  it.each([
    ['allowedUses', { keyType: UsageBased, allowedUses: 0, expiration: null }],
    ['expiration', { keyType: TimeBased, allowedUses: null, expiration: null }],
    ['expiration', { keyType: TimeBased, allowedUses: null, expiration: at(0) }],
    ['allowedUses', { keyType: TimeBased, allowedUses: 1, expiration: at(1) }],
    ['allowedUses', { keyType: Persistent, allowedUses: 3, expiration: null }],
    ['keyType', { keyType: Unknown, allowedUses: null, expiration: null }],
  ])('refuse a wrong %s: %j', (field, asked) => {
    expect(() => limitsOf(asked, NOW)).toThrow(DomainError);
    expect(() => limitsOf(asked, NOW)).toThrow(expect.objectContaining({ fields: { [field]: [expect.any(String)] } }));
  });
});

describe('the state of a key', () => {
  it.each([
    [Persistent, null, null, 1_000_000, KeyState.Usable],
    [TimeBased, null, at(0), 1_000_000, KeyState.Usable],
    [TimeBased, null, at(-1), 0, KeyState.Expired],
    [UsageBased, 5, at(1), 4, KeyState.Usable],
    [UsageBased, 5, at(1), 5, KeyState.Exhausted],
    [UsageBased, 5, at(-1), 0, KeyState.Expired],
    [UsageBased, null, at(1), 1_000_000, KeyState.Usable],
  ])('%s, %s uses allowed, expires %p, used %d times: %s', (keyType, allowedUses, expiration, usageCount, state) => {
    expect(stateOf({ keyType, allowedUses, expiration, usageCount }, NOW)).toBe(state);
  });
});
