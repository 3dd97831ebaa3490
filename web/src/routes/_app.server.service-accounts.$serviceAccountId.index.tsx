import { createFileRoute, redirect } from '@tanstack/react-router';

/** Leads to the first tab that the user may open. */
export const Route = createFileRoute('/_app/server/service-accounts/$serviceAccountId/')({
  async beforeLoad({ context: { session }, params }) {
    const { accountTabs } = await import('../features/service-accounts/tabs.js');
    const [first] = accountTabs('server', session);
    if (first !== undefined) throw redirect({ to: first.to, params, replace: true });
  },
});
