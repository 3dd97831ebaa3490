import { describe, expect, it } from 'vitest';

import { changeOf, isUnfinished } from './typed-text.js';

describe('a text that is typed', () => {
  it('grows, shrinks, and is corrected at its end', () => {
    expect(changeOf('he', 'hello')).toEqual({ removed: 0, inserted: 'llo' });
    expect(changeOf('hello', 'hel')).toEqual({ removed: 2, inserted: '' });
    expect(changeOf('teh', 'the ')).toEqual({ removed: 2, inserted: 'he ' });
    expect(changeOf('a', 'a')).toEqual({ removed: 0, inserted: '' });
  });

  it('consists of characters, not of halves of them', () => {
    expect(changeOf('😀', '😁')).toEqual({ removed: 1, inserted: '😁' });
  });

  it('is unfinished while other characters may come out of it', () => {
    expect(['か', '漢', '한', 'ㄅ'].every(isUnfinished)).toBe(true);
    expect(['hello ', 'é', 'привет', '1+1'].some(isUnfinished)).toBe(false);
  });
});
