import { createFileRoute } from '@tanstack/react-router';

import { Credentials } from '../features/service-accounts/Credentials.js';

export const Route = createFileRoute('/_app/server/service-accounts/$serviceAccountId/keys')({
  component: function Tab() {
    return <Credentials of="server" accountId={Route.useParams().serviceAccountId} />;
  },
});
