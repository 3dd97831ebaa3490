import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';

import { useSession } from '../../../access/session.js';
import { queryClient } from '../../../api/queries.js';
import { PAGE_SIZE, readDeviceSearch } from '../../../model/devices/device-search.js';
import { type LastList, rememberList } from '../../../state/last-list.js';
import { storedText } from '../../../state/read-user-data.js';
import { devicesQuery } from '../../../api/devices/device-list.js';
import { parseLastList } from '../../../state/read-last-list.js';

/** Place of a device in the list that it was opened from. */
export interface Neighbours {
  /** Counted from 1. */
  readonly position: number;
  readonly count: number;
  readonly previousId: string | undefined;
  readonly nextId: string | undefined;
}

/** The list that the tab showed last; null if it showed none. */
export function useLastList(): LastList | null {
  const { user } = useSession();
  return useState(() => parseLastList(storedText('device-list'), user.id, readDeviceSearch))[0];
}

/** The neighbours of a device in the list that the tab showed last; null while they are not known, or if it is not in there. */
export function useNeighbours(deviceId: string): Neighbours | null {
  const { user } = useSession();
  const list = useLastList();
  const search = list?.search ?? {};
  const [page] = useState(() => knownPageOf(deviceId, list));
  const { data } = useQuery({ ...devicesQuery(search, page), enabled: list !== null });
  const items = data?.items ?? [];
  const at = items.findIndex(({ id }) => id === deviceId);
  const count = data?.totalItems ?? 0;
  const position = page * PAGE_SIZE + at + 1;
  const isFirst = at === 0;
  const isLast = at === items.length - 1;
  const before = useQuery({ ...devicesQuery(search, page - 1), enabled: at !== -1 && isFirst && page > 0 });
  const after = useQuery({ ...devicesQuery(search, page + 1), enabled: at !== -1 && isLast && position < count });
  useEffect(() => {
    if (list !== null && at !== -1) rememberList(user.id, { search: list.search, page });
  }, [user.id, list, page, at]);
  if (at === -1) return null;
  return {
    position,
    count,
    previousId: (isFirst ? before.data?.items?.at(-1) : items[at - 1])?.id,
    nextId: (isLast ? after.data?.items?.[0] : items[at + 1])?.id,
  };
}

/** The page of the list on which the device was seen, else the one on which the last device was found. */
function knownPageOf(deviceId: string, list: LastList | null): number {
  if (list === null) return 0;
  const [resource, kind, search] = devicesQuery(list.search, 0).queryKey;
  const known = queryClient.getQueriesData<{ readonly items: readonly { readonly id: string }[] | null }>({
    queryKey: [resource, kind, search],
    // Answers of the size that the list asks for.
    predicate: ({ queryKey }) => queryKey[4] === PAGE_SIZE,
  });
  const [key] = known.find(([, data]) => data?.items?.some(({ id }) => id === deviceId)) ?? [];
  return typeof key?.[3] === 'number' ? key[3] : list.page;
}
