import { describe, expect, it } from 'vitest';

import { inWords } from './event.js';

describe('an entry of the sign-in log in words', () => {
  it.each([
    ['SignedIn', 'Passkey', { isRefusal: false, method: 'Passkey', reason: '' }],
    ['SignInFailed', 'wrong password', { isRefusal: true, method: 'Password', reason: 'Wrong password' }],
    ['SignInFailed', 'wrong code', { isRefusal: true, method: 'Password and code', reason: 'Wrong code' }],
    ['SignInFailed', 'suspended', { isRefusal: true, method: '', reason: 'The user is suspended' }],
    ['SignInFailed', 'passkey that was removed', { isRefusal: true, method: 'Passkey', reason: "The passkey wasn't accepted" }],
    ['LockedOut', null, { isRefusal: true, method: '', reason: 'Too many failed attempts' }],
    ['RecoveryCodeUsed', '7 left', { isRefusal: false, method: '', reason: '7 left' }],
  ] as const)('names method and reason of %s: %s', (kind, detail, expected) => {
    expect(inWords({ kind, detail })).toMatchObject(expected);
  });
});
