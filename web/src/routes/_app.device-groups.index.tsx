import { createFileRoute } from '@tanstack/react-router';

import { entriesQuery } from '../features/structure/resources.js';
import { StructurePage } from '../features/structure/StructurePage.js';
import { oneOf } from '../model/search-params.js';

export const Route = createFileRoute('/_app/device-groups/')({
  validateSearch: (search): { q?: string } => ({ q: oneOf(search.q) }),
  loader: ({ context: { queryClient } }) => void queryClient.prefetchQuery(entriesQuery('device-groups')),
  component: function Structure() {
    const { q } = Route.useSearch();
    const navigate = Route.useNavigate();
    return <StructurePage kind="device-groups" q={q} onSearch={(text) => void navigate({ search: { q: text }, replace: true })} />;
  },
});
