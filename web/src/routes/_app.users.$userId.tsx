import { createFileRoute } from '@tanstack/react-router';

import { usersQuery } from '../api/people/users.js';
import { UserPage } from '../features/users/UserPage.js';

export const Route = createFileRoute('/_app/users/$userId')({
  loader: ({ context: { queryClient } }) => void queryClient.prefetchQuery(usersQuery),
  component: function User() {
    const { userId } = Route.useParams();
    return <UserPage key={userId} userId={userId} />;
  },
});
