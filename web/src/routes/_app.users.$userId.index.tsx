import { createFileRoute, redirect } from '@tanstack/react-router';

/** Leads to the first tab that the user may open. */
export const Route = createFileRoute('/_app/users/$userId/')({
  async beforeLoad({ context: { session }, params }) {
    const { userTabs } = await import('../features/users/tabs.js');
    const [first] = userTabs(session);
    if (first !== undefined) throw redirect({ to: first.to, params, replace: true });
  },
});
