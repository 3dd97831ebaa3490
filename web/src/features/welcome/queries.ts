import { queryOptions } from '@tanstack/react-query';

import { queryClient } from '../../api/queries.js';
import { readStored, store } from '../../api/user-storage.js';
import { type Progress, readProgress, writeProgress } from './steps.js';

const KEY = 'first-run';

/** How far the user has come; null before the first visit. Nobody else changes it. */
export const progressQuery = queryOptions({
  queryKey: [KEY],
  queryFn: async ({ signal }) => readProgress(await readStored(KEY, signal)),
  staleTime: Infinity,
});

/** Keeps the progress: in this page at once. What cannot be stored is asked again in the next one. */
export async function keepProgress(progress: Progress): Promise<void> {
  queryClient.setQueryData(progressQuery.queryKey, progress);
  await store(KEY, writeProgress(progress)).catch(() => undefined);
}
