import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useCallback, useMemo, useState } from 'react';

import { queryClient } from '../../api/queries.js';
import { type Device, type DeviceSearch, PAGE_SIZE } from '../../model/devices/device-search.js';
import { devicesQuery } from '../../api/devices/device-list.js';

/** The rows of a search: the first page tells their number, the others are loaded as they come into sight. */
export interface DeviceRows {
  readonly first: ReturnType<typeof useFirstPage>;
  readonly count: number;
  rowAt(this: void, index: number): Device | undefined;
  setRange(this: void, first: number, last: number): void;
  /** The devices in sight. */
  readonly inSight: readonly Device[];
}

const useFirstPage = (search: DeviceSearch) => useQuery({ ...devicesQuery(search, 0), placeholderData: keepPreviousData });

/** A page of the search in sight. The first page is asked for by itself. */
const usePage = (search: DeviceSearch, page: number) => useQuery({ ...devicesQuery(search, page), enabled: page > 0 }).data;

/** Rows of the devices that match, loaded as they come into sight. */
export function useDeviceRows(search: DeviceSearch): DeviceRows {
  const first = useFirstPage(search);
  const [range, setRange] = useState({ first: 0, last: 0 });
  const count = first.data?.totalItems ?? 0;

  // Two pages at once: more would keep others waiting while a user drags the scroll bar.
  const upperPage = Math.floor(range.first / PAGE_SIZE);
  const lowerPage = Math.floor(range.last / PAGE_SIZE);
  const upper = usePage(search, upperPage);
  const lower = usePage(search, lowerPage);

  const rowAt = useCallback(
    (index: number): Device | undefined => {
      const page = Math.floor(index / PAGE_SIZE);
      const inRange = page === 0 ? first.data : page === upperPage ? upper : page === lowerPage ? lower : undefined;
      // Pages that were loaded before are there at once when the user scrolls back.
      const data = inRange ?? queryClient.getQueryData(devicesQuery(search, page).queryKey);
      return data?.items?.[index % PAGE_SIZE];
    },
    [search, first.data, upperPage, upper, lowerPage, lower],
  );
  const inSight = useMemo(() => {
    const devices: Device[] = [];
    for (let index = range.first; index <= Math.min(range.last, count - 1); index += 1) {
      const device = rowAt(index);
      if (device !== undefined) devices.push(device);
    }
    return devices;
  }, [range, count, rowAt]);

  return { first, count, rowAt, setRange: useCallback((from, to) => setRange({ first: from, last: to }), []), inSight };
}
