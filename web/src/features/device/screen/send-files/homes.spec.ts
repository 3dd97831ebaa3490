import { describe, expect, it } from 'vitest';

import { homesOf } from './homes.js';

describe('the home of a user', () => {
  it('is where the platform puts it', () => {
    expect(homesOf('Windows', 'CONTOSO\\anna')).toEqual(['C:\\Users\\anna']);
    expect(homesOf('macOS', 'anna')).toEqual(['/Users/anna']);
    expect(homesOf('Linux', 'anna')).toEqual(['/home/anna']);
    expect(homesOf('Linux', 'root')).toEqual(['/root']);
  });

  it('is unknown without a name', () => {
    expect(homesOf('Linux', '')).toEqual([]);
    expect(homesOf('Linux', '../etc')).toEqual([]);
  });
});
