import { createFileRoute } from '@tanstack/react-router';

import { usersQuery } from '../api/people/users.js';
import { UsersPage } from '../features/users/UsersPage.js';
import { oneOf } from '../model/search-params.js';

export const Route = createFileRoute('/_app/users/')({
  validateSearch: (search): { q?: string } => ({ q: oneOf(search.q) }),
  loader: ({ context: { queryClient } }) => void queryClient.prefetchQuery(usersQuery),
  component: UsersPage,
});
