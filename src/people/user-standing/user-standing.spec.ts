import { describe, expect, it } from 'vitest';

import { stateOf, UserState, type StandingFacts } from './user-standing.js';

const NOW = new Date('2026-03-01T12:00:00Z');
const BEFORE = new Date('2026-03-01T11:59:59Z');
const AFTER = new Date('2026-03-01T12:00:01Z');

const ACTIVE: StandingFacts = { isExternal: false, isInvited: false, emailConfirmed: true, suspendedAt: null, lockoutEnd: null };

describe('the state of a user', () => {
  it.each<[string, Partial<StandingFacts>, UserState]>([
    ['active without anything else', {}, UserState.Active],
    ['suspended before all others', { suspendedAt: BEFORE, isExternal: true, isInvited: true, lockoutEnd: AFTER }, UserState.Suspended],
    ['a visitor, whose address is never confirmed', { isExternal: true, emailConfirmed: false }, UserState.Visitor],
    ['invited until the invitation is accepted', { isInvited: true, emailConfirmed: false }, UserState.Invited],
    ['locked while the lock-out lasts', { lockoutEnd: AFTER, emailConfirmed: false }, UserState.Locked],
    ['not locked any more at its end', { lockoutEnd: NOW }, UserState.Active],
    ['unconfirmed until the address is confirmed', { emailConfirmed: false }, UserState.Unconfirmed],
  ])('is %s', (_what, facts, expected) => {
    expect(stateOf({ ...ACTIVE, ...facts }, NOW, true)).toBe(expected);
  });

  it('is active without a confirmed address where none is asked for', () => {
    expect(stateOf({ ...ACTIVE, emailConfirmed: false }, NOW, false)).toBe(UserState.Active);
  });
});
