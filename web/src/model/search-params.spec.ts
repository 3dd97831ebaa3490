import { describe, expect, it } from 'vitest';

import { listOf, numberOf } from './search-params.js';

describe('a number in an address', () => {
  it.each([
    ['2', 2],
    // As a link of the page gives it.
    [2, 2],
    [['3', '4'], 3],
  ])('reads a number from %j', (value, number) => {
    expect(numberOf(value)).toBe(number);
  });

  it.each([undefined, '', '0', '-1', '1.5', 'two', {}])('reads no number from %j', (value) => {
    expect(numberOf(value)).toBeUndefined();
  });
});

describe('texts in an address', () => {
  it('reads each once', () => {
    expect(listOf(['a', 'b', 'a', ''])).toEqual(['a', 'b']);
    expect(listOf('a')).toEqual(['a']);
    expect(listOf([''])).toBeUndefined();
  });
});
