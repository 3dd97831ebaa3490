import { describe, expect, it } from 'vitest';

import { newTemporaryPassword, passwordProblems } from './password-policy.js';

describe('passwordProblems', () => {
  it.each([
    ['Abcdefg1', 0],
    ['Äußerst1', 0],
    [`Aa1${'x'.repeat(97)}`, 0],
    ['Abcdef1', 1],
    [`Aa1${'x'.repeat(98)}`, 1],
    ['abcdefg1', 1],
    ['ABCDEFG1', 1],
    ['Abcdefgh', 1],
    ['abc', 3],
    ['', 4],
  ])('finds in %j this number of problems: %d', (password, count) => {
    expect(passwordProblems(password)).toHaveLength(count);
  });
});

describe('newTemporaryPassword', () => {
  it('generates distinct passwords that satisfy the policy and exceed its minimum length', () => {
    const passwords = Array.from({ length: 500 }, newTemporaryPassword);
    expect(passwords.flatMap(passwordProblems)).toEqual([]);
    expect(new Set(passwords).size).toBe(500);
    expect(new Set(passwords.map(({ length }) => length))).toEqual(new Set([20]));
  });

  it('does not fix the kind of character at any position', () => {
    const passwords = Array.from({ length: 500 }, newTemporaryPassword);
    for (let at = 0; at < 20; at += 1) {
      expect(passwords.some((password) => /\d/.test(password[at]))).toBe(true);
      expect(passwords.some((password) => /[A-Z]/.test(password[at]))).toBe(true);
    }
  });
});
