import { describe, expect, it } from 'vitest';

import { UnorderedList } from './unordered-list.js';

describe('A list without order', () => {
  it('holds what was added and not removed', () => {
    const list = new UnorderedList<string>();
    const [first, , third] = ['a', 'b', 'c'].map((value) => list.add(value));
    first();
    list.add('d');
    expect(list.values().sort()).toEqual(['b', 'c', 'd']);
    third();
    third();
    expect(list.values().sort()).toEqual(['b', 'd']);
    expect(list.size).toBe(2);
  });

  it('holds equal values once for each time that they were added', () => {
    const list = new UnorderedList<string>();
    const remove = list.add('a');
    list.add('a');
    remove();
    expect(list.values()).toEqual(['a']);
  });
});
