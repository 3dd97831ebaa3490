import { createFileRoute } from '@tanstack/react-router';
import type { ReactNode } from 'react';

import { ChangeLogPage } from '../features/change-log/ChangeLogPage.js';
import { filterOf, knownPartsOf } from '../features/change-log/kinds.js';
import { actsQuery } from '../api/access/change-log.js';
import { readChangeLogAddress } from '../model/change-log-search.js';

export const Route = createFileRoute('/_app/change-log')({
  validateSearch: readChangeLogAddress,
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queryClient }, deps }) => void queryClient.prefetchInfiniteQuery(actsQuery('tenant', filterOf(knownPartsOf(deps)))),
  component: ChangeLog,
});

function ChangeLog(): ReactNode {
  const navigate = Route.useNavigate();
  return (
    <ChangeLogPage log="tenant" search={knownPartsOf(Route.useSearch())} onSearch={(search) => void navigate({ search, replace: true })} />
  );
}
