import { createFileRoute } from '@tanstack/react-router';

import { standingsQuery } from '../api/people/user-standing.js';
import { usersQuery } from '../api/people/users.js';
import type { UserFilters } from '../features/users/standing.js';
import { UsersPage } from '../features/users/UsersPage.js';
import { oneOf } from '../model/search-params.js';

export const Route = createFileRoute('/_app/users/')({
  validateSearch: (search): UserFilters & { sort?: string } => ({
    q: oneOf(search.q),
    standing: oneOf(search.standing),
    factor: oneOf(search.factor),
    sort: oneOf(search.sort),
  }),
  // A property, not a method: the build moves only those out of the first load.
  loader: ({ context: { queryClient } }) => {
    void queryClient.prefetchQuery(usersQuery);
    void queryClient.prefetchQuery(standingsQuery);
  },
  component: UsersPage,
});
