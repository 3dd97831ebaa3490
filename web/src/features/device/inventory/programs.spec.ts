import { describe, expect, it } from 'vitest';

import { programsWith } from './programs.js';

const programs = [
  { name: 'Firefox', version: '131.0', publisher: 'Mozilla' },
  { name: 'Thunderbird', version: '128.3', publisher: 'Mozilla' },
  { name: 'KB5046633', version: '' },
];

describe('a search for programs', () => {
  it.each([
    ['', ['Firefox', 'Thunderbird', 'KB5046633']],
    ['mozilla 131', ['Firefox']],
    ['kb50', ['KB5046633']],
    ['opera', []],
  ])('finds those with every word of "%s"', (text, names) => {
    expect(programsWith(programs, text).map(({ name }) => name)).toEqual(names);
  });
});
