import { createFileRoute } from '@tanstack/react-router';

import { accountQuery } from '../api/people/service-accounts.js';
import { ServiceAccountPage } from '../features/service-accounts/ServiceAccountPage.js';

export const Route = createFileRoute('/_app/service-accounts/$serviceAccountId')({
  loader: ({ context: { queryClient }, params }) => void queryClient.prefetchQuery(accountQuery('tenant', params.serviceAccountId)),
  component: function Account() {
    const { serviceAccountId } = Route.useParams();
    return <ServiceAccountPage key={serviceAccountId} of="tenant" serviceAccountId={serviceAccountId} />;
  },
});
