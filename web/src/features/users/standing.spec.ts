import { describe, expect, it } from 'vitest';

import type { Standing } from '../../api/people/user-standing.js';
import type { User } from '../../api/people/users.js';
import { factorsOf, matchesFilters, stateDetail } from './standing.js';

const NOW = Date.parse('2026-03-01T12:00:00Z');
const HOUR = 3_600_000;
const at = (hours: number): string => new Date(NOW + hours * HOUR).toISOString();

const user: User = { id: 'u', userName: 'dana@example.org', email: null, displayName: 'Dana', permissions: [], createdAt: at(-99) };
const standing = (values: Partial<Standing> = {}): Standing => ({
  userId: 'u',
  state: 'Active',
  lastSignIn: null,
  hasAuthenticatorApp: false,
  hasPasskey: false,
  suspendedAt: null,
  lockedUntil: null,
  visitEnds: null,
  invite: null,
  ...values,
});

describe('what a state leaves open', () => {
  it.each<[string, Partial<Standing>, RegExp | null]>([
    ['nothing for an active user', {}, null],
    ['since when a user is suspended', { state: 'Suspended', suspendedAt: at(-50) }, /^since /],
    ['until when a user is locked', { state: 'Locked', lockedUntil: at(1) }, /^until /],
    ['when an invitation expires', { state: 'Invited', invite: { id: 'i', createdAt: at(-1), expiresAt: at(48) } }, /^expires in 2 days$/],
    [
      'that an invitation has expired',
      { state: 'Invited', invite: { id: 'i', createdAt: at(-99), expiresAt: at(-2) } },
      /^expired 2 hr\. ago$/,
    ],
    ['until when a visitor is let in', { state: 'Visitor', visitEnds: at(1) }, /^until /],
    ['when a visit ended', { state: 'Visitor', visitEnds: at(-3) }, /^ended 3 hr\. ago$/],
    ['that a visit ended whose time is not known any more', { state: 'Visitor' }, /^ended$/],
  ])('is %s', (_what, values, expected) => {
    const detail = stateDetail(standing(values), NOW);
    if (expected === null) expect(detail).toBeNull();
    else expect(detail).toMatch(expected);
  });
});

describe('second factors', () => {
  it('are the app, passkeys, both or none, and nothing for visitors', () => {
    expect(factorsOf(standing())).toEqual(['none']);
    expect(factorsOf(standing({ hasAuthenticatorApp: true, hasPasskey: true }))).toEqual(['app', 'passkey']);
    expect(factorsOf(standing({ state: 'Visitor' }))).toEqual([]);
  });
});

describe('the filters of the list', () => {
  it('match names and addresses regardless of case, states and factors', () => {
    expect(matchesFilters(user, standing(), { q: 'DAN' })).toBe(true);
    expect(matchesFilters(user, standing(), { q: 'robin' })).toBe(false);
    expect(matchesFilters(user, standing({ state: 'Locked' }), { standing: 'Locked' })).toBe(true);
    expect(matchesFilters(user, standing(), { standing: 'Locked' })).toBe(false);
    expect(matchesFilters(user, standing({ hasPasskey: true }), { factor: 'none' })).toBe(false);
    expect(matchesFilters(user, standing({ hasPasskey: true }), { factor: 'passkey', q: 'example' })).toBe(true);
  });

  it('leave out users whose standing is not known yet', () => {
    expect(matchesFilters(user, undefined, {})).toBe(true);
    expect(matchesFilters(user, undefined, { standing: 'Active' })).toBe(false);
    expect(matchesFilters(user, undefined, { factor: 'none' })).toBe(false);
  });
});
