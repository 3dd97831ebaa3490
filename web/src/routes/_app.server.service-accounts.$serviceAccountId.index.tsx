import { createFileRoute, redirect } from '@tanstack/react-router';

import { accountTabs } from '../features/service-accounts/tabs.js';

/** Leads to the first tab that the user may open. */
export const Route = createFileRoute('/_app/server/service-accounts/$serviceAccountId/')({
  beforeLoad({ context: { session }, params }) {
    const [first] = accountTabs('server', session);
    if (first !== undefined) throw redirect({ to: first.to, params, replace: true });
  },
});
