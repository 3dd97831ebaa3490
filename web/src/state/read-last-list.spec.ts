import { describe, expect, it } from 'vitest';

import { textForUser } from './user-data.js';
import { readDeviceSearch } from '../model/devices/device-search.js';
import { parseLastList } from './read-last-list.js';

const read = (text: string | null) => parseLastList(text, 'dana', readDeviceSearch);

describe('the last list', () => {
  it('returns the last list to its user, and to no one else', () => {
    const list = { search: { q: 'till' }, page: 2 };
    expect(read(textForUser('dana', list))).toEqual(list);
    expect(read(textForUser('kim', list))).toBeNull();
    expect(read(null)).toBeNull();
  });

  it.each([{}, [], 'a', { page: -1 }, { search: { state: 'lost' }, page: 'x' }])('starts with a new list if %j was stored', (value) => {
    expect(read(textForUser('dana', value))).toEqual({ search: {}, page: 0 });
  });
});
