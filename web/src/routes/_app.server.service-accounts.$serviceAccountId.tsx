import { createFileRoute } from '@tanstack/react-router';

import { accountQuery } from '../api/people/service-accounts.js';
import { ServiceAccountPage } from '../features/service-accounts/ServiceAccountPage.js';

export const Route = createFileRoute('/_app/server/service-accounts/$serviceAccountId')({
  loader: ({ context: { queryClient }, params }) => void queryClient.prefetchQuery(accountQuery('server', params.serviceAccountId)),
  component: function Account() {
    const { serviceAccountId } = Route.useParams();
    return <ServiceAccountPage key={serviceAccountId} of="server" serviceAccountId={serviceAccountId} />;
  },
});
