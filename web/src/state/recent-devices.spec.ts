import { describe, expect, it } from 'vitest';

import { textForUser } from './user-data.js';
import { parseRecent, withDevice } from './recent-devices.js';

const device = (id: string) => ({ id, name: `Device ${id}` });

describe('recent devices', () => {
  it('lists recent devices from the last one on, each once, six at most', () => {
    expect(withDevice([device('a'), device('b')], device('b'))).toEqual([device('b'), device('a')]);
    const six = ['a', 'b', 'c', 'd', 'e', 'f'].map(device);
    expect(withDevice(six, device('g')).map(({ id }) => id)).toEqual(['g', 'a', 'b', 'c', 'd', 'e']);
  });

  it('shows recent devices only to the user who visited them', () => {
    const stored = textForUser('dana', [device('a')]);
    expect(parseRecent(stored, 'dana')).toEqual([device('a')]);
    expect(parseRecent(stored, 'kim')).toEqual([]);
  });

  it('lists no recent devices from nothing or another text', () => {
    for (const text of [null, ...[null, {}, 'a', [null], [1], [{ id: 1 }]].map((value) => textForUser('dana', value))])
      expect(parseRecent(text, 'dana')).toEqual([]);
  });
});
