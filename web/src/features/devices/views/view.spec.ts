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

  it('reads a view back as it was stored, with its order and columns', () => {
    const text = writeView({ name: 'Täglich', search });

    expect(readView('v1', text)).toEqual({ id: 'v1', name: 'Täglich', search });
  });

  it('does not store the view that a view was made from', () => {
    expect(writeView({ name: 'A', search: { ...search, view: 'v0' } })).toBe(writeView({ name: 'A', search }));
    expect(isSame({ ...search, view: 'v0' }, search)).toBe(true);
    expect(isSame({ ...search, sort: 'name' }, search)).toBe(false);
  });

  it("refuses a view that does not fit into the service's storage", () => {
    expect(writeView({ name: 'A', search: { q: 'x'.repeat(2100) } })).toBeNull();
  });

  it('reads no view from another text', () => {
    for (const text of [null, '', '[', 'null', '{"name":1,"search":""}', '{"name":"A"}']) expect(readView('v1', text)).toBeNull();
  });

  it('makes a different request for each built-in view', () => {
    const bodies = BUILT_IN.map((view) => JSON.stringify(toSearchRequest(view.search, 0, 1, 0)));

    expect(new Set(bodies).size).toBe(BUILT_IN.length);
  });
});

describe('the order of the views', () => {
  it('reads the order of views back as it was stored, and an empty one from a text that is no list', () => {
    expect(readIndex(writeIndex(['a', 'b']))).toEqual(['a', 'b']);
    for (const text of [null, '', '{}', '{"length":3}']) expect(readIndex(text)).toEqual([]);
  });

  it('stores no more views than the navigation shows', () => {
    const many = Array.from({ length: MOST_VIEWS + 5 }, (_, at) => `v${at}`);

    expect(readIndex(writeIndex(many))).toHaveLength(MOST_VIEWS);
  });

  it('puts a view back at its place', () => {
    expect(withId(['a', 'c'], 'b', 1)).toEqual(['a', 'b', 'c']);
    expect(withId(['a', 'b'], 'b', 0)).toEqual(['a', 'b']);
    expect(withId(['a'], 'b')).toEqual(['a', 'b']);
  });
});
