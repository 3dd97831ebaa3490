import { createFileRoute } from '@tanstack/react-router';

import { accountsQuery } from '../api/people/service-accounts.js';
import { ServiceAccountsPage } from '../features/service-accounts/ServiceAccountsPage.js';
import { oneOf } from '../model/search-params.js';

export const Route = createFileRoute('/_app/server/service-accounts/')({
  validateSearch: (search): { q?: string } => ({ q: oneOf(search.q) }),
  loader: ({ context: { queryClient } }) => void queryClient.prefetchQuery(accountsQuery('server')),
  component: function Accounts() {
    const { q = '' } = Route.useSearch();
    const navigate = Route.useNavigate();
    const search = (text: string): void => void navigate({ search: { q: text === '' ? undefined : text }, replace: true });
    return <ServiceAccountsPage of="server" q={q} onSearch={search} />;
  },
});
