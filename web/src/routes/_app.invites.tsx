import { createFileRoute } from '@tanstack/react-router';

import { InvitesPage } from '../features/users/InvitesPage.js';
import { invitesQuery } from '../api/people/invites.js';

export const Route = createFileRoute('/_app/invites')({
  loader: ({ context: { queryClient } }) => void queryClient.prefetchQuery(invitesQuery),
  component: InvitesPage,
});
