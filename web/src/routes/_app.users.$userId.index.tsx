import { createFileRoute, redirect } from '@tanstack/react-router';

import { userTabs } from '../features/users/tabs.js';

/** Leads to the first tab that the user may open. */
export const Route = createFileRoute('/_app/users/$userId/')({
  beforeLoad({ context: { session }, params }) {
    const [first] = userTabs(session);
    if (first !== undefined) throw redirect({ to: first.to, params, replace: true });
  },
});
