import { createFileRoute } from '@tanstack/react-router';

import { userGroupQuery } from '../api/people/user-groups.js';
import { UserGroupPage } from '../features/user-groups/UserGroupPage.js';

export const Route = createFileRoute('/_app/user-groups/$userGroupId')({
  loader: ({ context: { queryClient }, params }) => void queryClient.prefetchQuery(userGroupQuery(params.userGroupId)),
  component: function Group() {
    const { userGroupId } = Route.useParams();
    return <UserGroupPage key={userGroupId} userGroupId={userGroupId} />;
  },
});
