import { QueryClient } from '@tanstack/react-query';

import { problemOf } from '../problem/problem.js';
import type { Resource } from './resources.js';

const SECOND = 1000;

/** Times for which answers count as fresh, in milliseconds. */
export const FRESH = { usual: 15 * SECOND, list: 30 * SECOND, catalog: 300 * SECOND } as const;

/**
 * The cache of the service's answers. Transient failures are tried once more, refusals never. Without a connection calls fail like any
 * others: nothing waits for it unseen, and answers are read again when it is back.
 */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: FRESH.usual,
      retry: (failures, error) => failures < 1 && problemOf(error).isTransient,
      retryDelay: 500,
      networkMode: 'always',
      refetchOnReconnect: true,
    },
    mutations: { retry: false, networkMode: 'always' },
  },
});

/** After a write: its resource is read again, and so is the change log. */
export async function changed(...resources: readonly Resource[]): Promise<void> {
  await Promise.all([...resources, 'change-log' as const].map((resource) => queryClient.invalidateQueries({ queryKey: [resource] })));
}
