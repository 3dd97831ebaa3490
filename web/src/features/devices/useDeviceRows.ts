import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query';
import { useCallback, useMemo, useState } from 'react';

import { queryClient } from '../../api/queries.js';
import { type Device, type DeviceSearch, PAGE_SIZE } from './device-search.js';
import { devicesQuery } from './queries.js';

/** Pages that may be asked for at once: more would keep others waiting while somebody drags the scroll bar. */
const PAGES_AT_ONCE = 2;

/** The rows of a search: the first page tells how many there are, the others are loaded as they come into sight. */
export interface DeviceRows {
  readonly first: ReturnType<typeof useFirstPage>;
  readonly count: number;
  rowAt(this: void, index: number): Device | undefined;
  setRange(this: void, first: number, last: number): void;
  /** The devices in sight. */
  readonly inSight: readonly Device[];
}

const useFirstPage = (search: DeviceSearch) => useQuery({ ...devicesQuery(search, 0), placeholderData: keepPreviousData });

const dataOf = <T>(results: readonly { readonly data: T | undefined }[]): (T | undefined)[] => results.map(({ data }) => data);

/** Rows of the devices that match, loaded as they come into sight. */
export function useDeviceRows(search: DeviceSearch): DeviceRows {
  const first = useFirstPage(search);
  const [range, setRange] = useState({ first: 0, last: 0 });
  const count = first.data?.totalItems ?? 0;

  const pages = useMemo(() => {
    const from = Math.floor(range.first / PAGE_SIZE);
    const to = Math.floor(range.last / PAGE_SIZE);
    return Array.from({ length: Math.min(PAGES_AT_ONCE, to - from + 1) }, (_, at) => from + at).filter((page) => page > 0);
  }, [range]);
  const loaded = useQueries({ queries: pages.map((page) => devicesQuery(search, page)), combine: dataOf });

  const rowAt = useCallback(
    (index: number): Device | undefined => {
      const page = Math.floor(index / PAGE_SIZE);
      const inRange = page === 0 ? first.data : loaded[pages.indexOf(page)];
      // Pages that were loaded before are there at once when somebody scrolls back.
      const data = inRange ?? queryClient.getQueryData(devicesQuery(search, page).queryKey);
      return data?.items?.[index % PAGE_SIZE];
    },
    [search, first.data, pages, loaded],
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
