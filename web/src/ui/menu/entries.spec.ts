import { describe, expect, it } from 'vitest';

import { type MenuEntry, withoutIdleLines } from './entries.js';

const act = (label: string): MenuEntry => ({ label, onSelect: () => undefined });

describe('withoutIdleLines', () => {
  it('keeps lines between entries of a menu', () => {
    const entries = [act('a'), null, act('b')];
    expect(withoutIdleLines(entries)).toEqual(entries);
  });

  it('drops lines at both ends of a menu, and repeated lines', () => {
    const [a, b] = [act('a'), act('b')];
    expect(withoutIdleLines([null, null, a, null, null, b, null])).toEqual([a, null, b]);
  });

  it('leaves nothing of a menu of lines', () => {
    expect(withoutIdleLines([null, null])).toEqual([]);
  });
});
