import { describe, expect, it } from 'vitest';

import { stateOf } from './credential-state.js';

const NOW = Date.parse('2026-06-01T12:00:00Z');

describe('the state of a credential', () => {
  it('takes a credential for active without an expiry and before it', () => {
    expect(stateOf({ revokedAt: null, expiresAt: null }, NOW)).toBe('active');
    expect(stateOf({ revokedAt: null, expiresAt: '2026-06-01T12:00:01Z' }, NOW)).toBe('active');
  });

  it('takes a credential for expired from its expiry on', () => {
    expect(stateOf({ revokedAt: null, expiresAt: '2026-06-01T12:00:00Z' }, NOW)).toBe('expired');
  });

  it('takes a revoked credential for revoked, expired or not', () => {
    expect(stateOf({ revokedAt: '2026-05-01T12:00:00Z', expiresAt: '2026-05-02T12:00:00Z' }, NOW)).toBe('revoked');
  });
});
