import { describe, expect, it } from 'vitest';

import { BoundedMap } from './bounded-map.js';

describe('BoundedMap', () => {
  it('drops the key that was added first when a new key exceeds its capacity', () => {
    const map = new BoundedMap<string, number>(2).set('a', 1).set('b', 2).set('c', 3);
    expect([...map]).toEqual([
      ['b', 2],
      ['c', 3],
    ]);
  });

  it('drops nothing when a known key gets a new value', () => {
    const map = new BoundedMap<string, number>(2).set('a', 1).set('b', 2).set('a', 3);
    expect([...map]).toEqual([
      ['a', 3],
      ['b', 2],
    ]);
  });
});
