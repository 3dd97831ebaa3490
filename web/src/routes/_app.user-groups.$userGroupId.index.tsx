import { createFileRoute, redirect } from '@tanstack/react-router';

import { groupTabs } from '../features/user-groups/tabs.js';

/** Leads to the first tab that the user may open. */
export const Route = createFileRoute('/_app/user-groups/$userGroupId/')({
  beforeLoad({ context: { session }, params }) {
    const [first] = groupTabs(session);
    if (first !== undefined) throw redirect({ to: first.to, params, replace: true });
  },
});
