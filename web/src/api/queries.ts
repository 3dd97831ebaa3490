import { QueryClient } from '@tanstack/react-query';

import { problemOf } from './problem.js';

const SECOND = 1000;

/** For how long answers count as fresh. */
export const FRESH = { usual: 15 * SECOND, list: 30 * SECOND, catalog: 300 * SECOND } as const;

/** The cache of what the service said. Transient failures are tried once more, refusals never. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: FRESH.usual,
      retry: (failures, error) => failures < 1 && problemOf(error).isTransient,
      retryDelay: 500,
    },
    mutations: { retry: false },
  },
});

/** After a write: its resource is read again, and so is the change log. */
export async function changed(...resources: readonly string[]): Promise<void> {
  await Promise.all([...resources, 'change-log'].map((resource) => queryClient.invalidateQueries({ queryKey: [resource] })));
}
