import { queryOptions } from '@tanstack/react-query';

import { queryClient } from '../../api/queries.js';
import { readStored, store } from '../../api/people/user-storage.js';
import { type Progress, readProgress, writeProgress } from './steps.js';

const KEY = 'first-run';

/** The user's progress; null before the first visit. Only the user's own pages change it. */
export const progressQuery = queryOptions({
  queryKey: [KEY],
  queryFn: async ({ signal }) => readProgress(await readStored(KEY, signal)),
  staleTime: Infinity,
});

/** Keeps the progress, in this page at once. If it cannot be stored, the next page asks again. */
export async function keepProgress(progress: Progress): Promise<void> {
  queryClient.setQueryData(progressQuery.queryKey, progress);
  await store(KEY, writeProgress(progress)).catch(() => undefined);
}
