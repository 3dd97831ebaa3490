import { createFileRoute } from '@tanstack/react-router';

import { Members } from '../features/user-groups/Members.js';

export const Route = createFileRoute('/_app/user-groups/$userGroupId/members')({
  component: function Tab() {
    return <Members userGroupId={Route.useParams().userGroupId} />;
  },
});
