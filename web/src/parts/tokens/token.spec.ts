import { describe, expect, it } from 'vitest';

import { tokenState } from './token.js';

const NOW = Date.parse('2026-03-09T12:00:00Z');

describe('the state of a token', () => {
  it.each([
    [null, null, 'valid'],
    ['2026-03-09T12:00:01Z', null, 'valid'],
    ['2026-03-09T12:00:00Z', null, 'expired'],
    ['2026-03-09T12:00:01Z', '2026-03-01T00:00:00Z', 'revoked'],
  ])('a token that expires %s and was revoked %s is %s', (expiresAt, revokedAt, state) => {
    expect(tokenState({ expiresAt, revokedAt }, NOW)).toBe(state);
  });
});
