import { createFileRoute } from '@tanstack/react-router';
import type { ReactNode } from 'react';

import { tenantsQuery } from '../api/tenants/tenants.js';
import { TenantsPage } from '../features/server-administration/TenantsPage.js';
import { oneOf } from '../model/search-params.js';

export const Route = createFileRoute('/_app/server/tenants/')({
  validateSearch: (search): { q?: string } => ({ q: oneOf(search.q) }),
  loader: ({ context: { queryClient } }) => void queryClient.prefetchQuery(tenantsQuery),
  component: Tenants,
});

function Tenants(): ReactNode {
  const navigate = Route.useNavigate();
  const { q = '' } = Route.useSearch();
  return (
    <TenantsPage filter={q} onFilter={(filter) => void navigate({ search: { q: filter === '' ? undefined : filter }, replace: true })} />
  );
}
