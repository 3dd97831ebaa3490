import { describe, expect, it } from 'vitest';

import { toSearchRequest } from '../../../model/devices/device-search.js';
import { BUILT_IN, isSame, MOST_VIEWS, readIndex, readView, withId, writeIndex, writeView } from './view.js';

describe('a view of the list of devices', () => {
  const search = {
    q: 'front & back',
    state: 'offline',
    tag: ['t1', 't2'],
    f: ['lastSeen.before.7d'],
    sort: '-name',
    cols: 'state,seen',
  } as const;

  it('comes back as it was stored, with its order and columns', () => {
    const text = writeView({ name: 'Täglich', search });

    expect(readView('v1', text)).toEqual({ id: 'v1', name: 'Täglich', search });
  });

  it('is not stored with the view that it was made from', () => {
    expect(writeView({ name: 'A', search: { ...search, view: 'v0' } })).toBe(writeView({ name: 'A', search }));
    expect(isSame({ ...search, view: 'v0' }, search)).toBe(true);
    expect(isSame({ ...search, sort: 'name' }, search)).toBe(false);
  });

  it('is refused when it does not fit into what the service stores', () => {
    expect(writeView({ name: 'A', search: { q: 'x'.repeat(2100) } })).toBeNull();
  });

  it('is nothing when what is stored is no view', () => {
    for (const text of [null, '', '[', 'null', '{"name":1,"search":""}', '{"name":"A"}']) expect(readView('v1', text)).toBeNull();
  });

  it('asks the service for something of its own, each of the built-in ones', () => {
    const bodies = BUILT_IN.map((view) => JSON.stringify(toSearchRequest(view.search, 0, 1, 0)));

    expect(new Set(bodies).size).toBe(BUILT_IN.length);
  });
});

describe('the order of the views', () => {
  it('comes back as it was stored, and is empty when that is no list', () => {
    expect(readIndex(writeIndex(['a', 'b']))).toEqual(['a', 'b']);
    for (const text of [null, '', '{}', '{"length":3}']) expect(readIndex(text)).toEqual([]);
  });

  it('holds no more than the navigation shows', () => {
    const many = Array.from({ length: MOST_VIEWS + 5 }, (_, at) => `v${at}`);

    expect(readIndex(writeIndex(many))).toHaveLength(MOST_VIEWS);
  });

  it('takes a view back at its place', () => {
    expect(withId(['a', 'c'], 'b', 1)).toEqual(['a', 'b', 'c']);
    expect(withId(['a', 'b'], 'b', 0)).toEqual(['a', 'b']);
    expect(withId(['a'], 'b')).toEqual(['a', 'b']);
  });
});
