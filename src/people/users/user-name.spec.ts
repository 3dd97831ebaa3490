import { describe, expect, it } from 'vitest';

import { isEmailAddress, normalizeName } from './user-name.js';

describe('isEmailAddress', () => {
  it.each(['ann@example.org', 'Ann.Lee+test@sub.example.org', 'root@localhost', 'a_b-c@x-y.example', `${'a'.repeat(244)}@example.org`])(
    'accepts %s',
    (text) => {
      expect(isEmailAddress(text)).toBe(true);
    },
  );

  it.each([
    '',
    'ann',
    '@example.org',
    'ann@',
    'ann@example.org.',
    'ann@@example.org',
    'a@b@example.org',
    'ann lee@example.org',
    'ann@exa mple.org',
    'änn@example.org',
    'ann@example.org\r\nBcc: x@example.org',
    '<ann@example.org>',
    `${'a'.repeat(245)}@example.org`,
  ])('refuses %j', (text) => {
    expect(isEmailAddress(text)).toBe(false);
  });
});

it('treats names that differ only in case as equal', () => {
  expect(normalizeName('Ann@Example.org')).toBe(normalizeName('aNN@eXAMPLE.ORG'));
});
