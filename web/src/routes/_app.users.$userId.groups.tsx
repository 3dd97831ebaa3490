import { createFileRoute } from '@tanstack/react-router';

import { GroupsTab } from '../features/users/GroupsTab.js';

export const Route = createFileRoute('/_app/users/$userId/groups')({
  component: function Tab() {
    return <GroupsTab userId={Route.useParams().userId} />;
  },
});
