import { describe, expect, it } from 'vitest';

import { isActive } from './credential-state.js';

const NOW = Date.UTC(2026, 0, 1);
const at = (offset: number): Date => new Date(NOW + offset);

describe('isActive', () => {
  it.each([
    ['never expires', { revokedAt: null, expiresAt: null }, true],
    ['expires later', { revokedAt: null, expiresAt: at(1) }, true],
    ['expires now', { revokedAt: null, expiresAt: at(0) }, false],
    ['was revoked', { revokedAt: at(-1), expiresAt: null }, false],
    ['was revoked and expires later', { revokedAt: at(-1), expiresAt: at(1) }, false],
  ])('of a credential that %s', (_what, credential, active) => {
    expect(isActive(credential, NOW)).toBe(active);
  });
});
