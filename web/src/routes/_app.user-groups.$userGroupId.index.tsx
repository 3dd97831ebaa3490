import { createFileRoute, redirect } from '@tanstack/react-router';

/** Leads to the first tab that the user may open. */
export const Route = createFileRoute('/_app/user-groups/$userGroupId/')({
  async beforeLoad({ context: { session }, params }) {
    const { groupTabs } = await import('../features/user-groups/tabs.js');
    const [first] = groupTabs(session);
    if (first !== undefined) throw redirect({ to: first.to, params, replace: true });
  },
});
