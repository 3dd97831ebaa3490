import { createFileRoute } from '@tanstack/react-router';

import { TokensTab } from '../features/users/TokensTab.js';

export const Route = createFileRoute('/_app/users/$userId/tokens')({
  component: function Tab() {
    return <TokensTab userId={Route.useParams().userId} />;
  },
});
