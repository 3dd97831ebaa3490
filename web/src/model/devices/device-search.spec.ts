import { describe, expect, it } from 'vitest';

import { isFiltered, nextSort, readCondition, readDeviceSearch, readSort, toSearchRequest, writeSort } from './device-search.js';

describe('the address of the list of devices', () => {
  it('turns the address into the request of the search', () => {
    const search = readDeviceSearch({
      q: 'front',
      state: 'offline',
      customer: 'c1',
      tag: ['t1', 't2'],
      tags: 'all',
      group: 'g1',
      f: ['osDescription.contains.Server 2022', 'usedStoragePercent.gt.0.9'],
      sort: '-lastSeen,name',
    });

    expect(toSearchRequest(search, 2)).toMatchObject({
      searchText: 'front',
      hideOfflineDevices: false,
      customerIds: ['c1'],
      tagIds: ['t1', 't2'],
      tagFilterMatchMode: 'All',
      deviceGroupIds: ['g1'],
      deviceGroupFilterMatchMode: 'Any',
      filterDefinitions: [
        { propertyName: 'osDescription', operator: 'contains', value: 'Server 2022' },
        { propertyName: 'usedStoragePercent', operator: '>', value: '0.9' },
        { propertyName: 'isOnline', operator: 'is', value: 'false' },
      ],
      sortDefinitions: [
        { propertyName: 'lastSeen', descending: true, sortOrder: 0 },
        { propertyName: 'name', descending: false, sortOrder: 1 },
      ],
      page: 2,
      pageSize: 100,
    });
  });

  it('drops unknown parts of the address', () => {
    const search = readDeviceSearch({ state: 'asleep', tags: 'some', f: ['nonsense', 'name.explodes.x'], ungrouped: 'maybe' });

    expect(search).toEqual({ f: [] });
    expect(isFiltered(search)).toBe(false);
  });

  it('keeps dots in the value of a condition', () => {
    expect(readCondition('publicIpV4.starts.192.168.')).toEqual({ property: 'publicIpV4', operator: 'starts', value: '192.168.' });
  });

  it('counts days since a device was seen from now', () => {
    const now = Date.UTC(2026, 0, 10);

    const { filterDefinitions } = toSearchRequest({ f: ['lastSeen.before.7d'] }, 0, 1, now);

    expect(filterDefinitions).toEqual([{ propertyName: 'lastSeen', operator: 'is before', value: '2026-01-03T00:00:00.000Z' }]);
  });
});

describe('the order of the list', () => {
  it('sorts online devices first, then by name, unless the address says otherwise', () => {
    expect(readSort()).toEqual([
      { property: 'isOnline', descending: true },
      { property: 'name', descending: false },
    ]);
    expect(writeSort(readSort('-lastSeen,name'))).toBe('-lastSeen,name');
  });

  it('turns the order from ascending to descending to the default with each click', () => {
    expect(nextSort(undefined, 'name')).toBe('name');
    expect(nextSort('name', 'name')).toBe('-name');
    expect(nextSort('-name', 'name')).toBeUndefined();
    expect(nextSort('-name', 'lastSeen')).toBe('lastSeen');
  });
});
