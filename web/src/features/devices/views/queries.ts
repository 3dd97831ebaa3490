import { queryOptions } from '@tanstack/react-query';

import { ProblemError } from '../../../problem/problem.js';
import { FRESH, queryClient } from '../../../api/queries.js';
import { changeStored, forget, readStored, store } from '../../../api/people/user-storage.js';
import type { DeviceSearch } from '../../../model/devices/device-search.js';
import { searchDevices } from '../../../api/devices/device-list.js';
import { t } from './texts.js';
import { MOST_VIEWS, readIndex, readView, type View, withId, writeIndex, writeView } from './view.js';

const INDEX = 'device-views';
const keyOf = (id: string): string => `device-view-${id}`;

/** The user's own views in their order. */
export const viewsQuery = queryOptions({
  queryKey: ['device-views'],
  async queryFn({ signal }): Promise<readonly View[]> {
    const ids = readIndex(await readStored(INDEX, signal));
    const texts = await Promise.all(ids.map((id) => readStored(keyOf(id), signal)));
    return ids.flatMap((id, at) => readView(id, texts[at]) ?? []);
  },
  staleTime: FRESH.catalog,
});

/** Keeps a view, new or changed. A new one stands at `place`, else at the end. */
export async function keepView(view: View, place?: number): Promise<void> {
  const text = writeView(view);
  if (text === null) throw new ProblemError(409, { detail: t('too-long') });
  const indexWithView = (stored: string | null): string | null => {
    const ids = readIndex(stored);
    if (ids.includes(view.id)) return stored;
    if (ids.length >= MOST_VIEWS) throw new ProblemError(409, { detail: t('too-many', { count: MOST_VIEWS }) });
    return writeIndex(withId(ids, view.id, place));
  };
  indexWithView(await readStored(INDEX));
  await store(keyOf(view.id), text);
  // The index is written last, so that it never names a view that does not exist.
  await changeStored(INDEX, indexWithView);
  await queryClient.invalidateQueries(viewsQuery);
}

/** Removes a view. Answers the place that it had; undefined if another page had removed it. */
export async function removeView({ id }: View): Promise<number | undefined> {
  let place = -1;
  await changeStored(INDEX, (stored) => {
    const ids = readIndex(stored);
    place = ids.indexOf(id);
    return place === -1 ? stored : writeIndex(ids.toSpliced(place, 1));
  });
  await forget(keyOf(id));
  await queryClient.invalidateQueries(viewsQuery);
  return place === -1 ? undefined : place;
}

/** While the list is looked at, the numbers beside the views are read this often. */
const COUNTED_EVERY_MS = 60_000;

let lastCount: Promise<unknown> = Promise.resolve();

/** One after the other: a dozen counts at once would keep the rows of the list waiting. */
function inTurn<T>(count: () => Promise<T>): Promise<T> {
  const turn = lastCount.then(count);
  lastCount = turn.catch(() => undefined);
  return turn;
}

/** Number of devices that a search finds. Read again every minute, by a page that is visible only. */
export const countQuery = (search: DeviceSearch) =>
  queryOptions({
    queryKey: ['devices', 'count', { ...search, cols: undefined, sort: undefined, view: undefined }],
    queryFn: ({ signal }) => inTurn(async () => (await searchDevices(search, 0, 1, signal)).totalItems),
    staleTime: COUNTED_EVERY_MS,
    refetchInterval: COUNTED_EVERY_MS,
  });
