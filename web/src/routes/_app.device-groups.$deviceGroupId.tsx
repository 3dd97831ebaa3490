import { createFileRoute } from '@tanstack/react-router';

import { MembersPage } from '../features/structure/MembersPage.js';
import { readMembersAddress } from '../features/structure/members-address.js';
import { entriesQuery } from '../features/structure/resources.js';

export const Route = createFileRoute('/_app/device-groups/$deviceGroupId')({
  validateSearch: readMembersAddress,
  loader: ({ context: { queryClient } }) => void queryClient.prefetchQuery(entriesQuery('device-groups')),
  component: function Members() {
    const { deviceGroupId } = Route.useParams();
    const navigate = Route.useNavigate();
    const onAddress = (search: ReturnType<typeof Route.useSearch>): void => void navigate({ search, replace: true });
    return <MembersPage kind="device-groups" id={deviceGroupId} address={Route.useSearch()} onAddress={onAddress} />;
  },
});
