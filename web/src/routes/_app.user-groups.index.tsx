import { createFileRoute } from '@tanstack/react-router';

import { userGroupsQuery } from '../api/people/user-groups.js';
import { UserGroupsPage } from '../features/user-groups/UserGroupsPage.js';
import { oneOf } from '../model/search-params.js';

export const Route = createFileRoute('/_app/user-groups/')({
  validateSearch: (search): { q?: string } => ({ q: oneOf(search.q) }),
  loader: ({ context: { queryClient } }) => void queryClient.prefetchQuery(userGroupsQuery),
  component: UserGroupsPage,
});
