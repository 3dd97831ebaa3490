import { createFileRoute } from '@tanstack/react-router';

import { Credentials } from '../features/service-accounts/Credentials.js';

export const Route = createFileRoute('/_app/service-accounts/$serviceAccountId/keys')({
  component: function Tab() {
    return <Credentials of="tenant" accountId={Route.useParams().serviceAccountId} />;
  },
});
