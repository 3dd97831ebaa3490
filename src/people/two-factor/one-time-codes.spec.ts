import { describe, expect, it } from 'vitest';

import { authenticatorUri, newRecoveryCodes, newSharedSecret, plainRecoveryCode, stepOf, typedSecret } from './one-time-codes.js';

/** The secret of the test vectors of RFC 6238, appendix B; their codes end with these digits. */
const SECRET = Buffer.from('12345678901234567890');

describe('a code of an authenticator app', () => {
  it.each([
    [59, '287082', 1],
    [1_111_111_109, '081804', 37_037_036],
    [1_234_567_890, '005924', 41_152_263],
    [20_000_000_000, '353130', 666_666_666],
  ])('is that of RFC 6238 at %d s: %s', (seconds, code, step) => {
    expect(stepOf(SECRET, code, seconds * 1000)).toBe(step);
  });

  it('may be typed with spaces and hyphens, and be one step early or late', () => {
    expect(stepOf(SECRET, '287 082', 59_000)).toBe(1);
    expect(stepOf(SECRET, '287-082', 29_000)).toBe(1);
    expect(stepOf(SECRET, '287082', 89_000)).toBe(1);
    expect(stepOf(SECRET, '287082', 90_000)).toBeNull();
  });

  it.each(['', '28708', '2870821', '287083', 'abcdef', '２８７０８２', '287082x'])('is not %j', (code) => {
    expect(stepOf(SECRET, code, 59_000)).toBeNull();
  });
});

it('an app gets the secret as text or as an address', () => {
  expect(typedSecret(SECRET)).toBe('gezd gnbv gy3t qojq gezd gnbv gy3t qojq');
  const uri = new URL(authenticatorUri(SECRET, 'Device Management', 'anna+x@contoso.example'));
  expect([uri.protocol, uri.host, decodeURIComponent(uri.pathname)]).toEqual([
    'otpauth:',
    'totp',
    '/Device Management:anna+x@contoso.example',
  ]);
  expect(Object.fromEntries(uri.searchParams)).toMatchObject({ secret: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ', issuer: 'Device Management' });
  expect(newSharedSecret()).toHaveLength(20);
});

it('recovery codes are ten different random texts that can be typed carelessly', () => {
  const codes = newRecoveryCodes();
  expect(new Set(codes).size).toBe(10);
  for (const code of codes) {
    expect(code).toMatch(/^[a-z2-7]{4}(-[a-z2-7]{4}){3}$/);
    expect(plainRecoveryCode(` ${code.toUpperCase().replaceAll('-', ' ')} `)).toBe(plainRecoveryCode(code));
  }
});
