import { describe, expect, it } from 'vitest';

import { initialsOf } from './initials.js';

describe('initialsOf', () => {
  it.each([
    ['Dana Schmidt', 'DS'],
    ['Ana María de la Cruz', 'AC'],
    ['dana.schmidt@example.com', 'DS'],
    ['admin', 'A'],
    ['', '?'],
    ['  @example.com', '?'],
    ['👩‍💻 dev', '👩‍💻D'],
  ])('the initials of %j are %j', (name, initials) => {
    expect(initialsOf(name)).toBe(initials);
  });
});
