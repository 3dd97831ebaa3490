import { describe, expect, it } from 'vitest';

import { byRank, rankOf } from './rank.js';

const ranked = (text: string, names: readonly string[]): string[] => byRank(text, names, (name) => name);

describe('the order of names for a typed text', () => {
  it('begins with the exact name, then with names that begin with it', () => {
    expect(ranked('front desk 1', ['17425', 'Old front desk 1', 'Front desk 17', 'front desk 1'])).toEqual([
      'front desk 1',
      'Front desk 17',
      'Old front desk 1',
      '17425',
    ]);
  });

  it('puts the begin of a word before its middle', () => {
    expect(ranked('desk', ['helpdesk', 'front-desk'])).toEqual(['front-desk', 'helpdesk']);
  });

  it('keeps the order of names that fit alike', () => {
    expect(ranked('srv', ['srv-02', 'srv-01'])).toEqual(['srv-02', 'srv-01']);
  });

  it('takes the best of several names', () => {
    expect(rankOf('dana', 'dana@example.org', 'Dana')).toBe(0);
    expect(rankOf('dana', null, undefined)).toBe(4);
  });
});
