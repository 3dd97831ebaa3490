import { describe, expect, it } from 'vitest';

import { checkPassword } from './password-rules.js';

const broken = (password: string): string[] => checkPassword(password).flatMap(({ rule, isKept }) => (isKept ? [] : [rule]));

describe('the rules of passwords', () => {
  it.each([
    ['Correct-horse-7', []],
    ['short7A', ['rule-length']],
    ['correct-horse-7', ['rule-upper']],
    ['CORRECT-HORSE-7', ['rule-lower']],
    ['Correct-horse', ['rule-digit']],
    ['Éclair-ünd-1', []],
    ['', ['rule-length', 'rule-upper', 'rule-lower', 'rule-digit']],
    [`Aa1${'x'.repeat(98)}`, ['rule-length']],
  ])('ticks off the rules of passwords one by one: %j', (password, rules) => {
    expect(broken(password)).toEqual(rules);
  });
});
