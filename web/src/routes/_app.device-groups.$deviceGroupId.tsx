import { createFileRoute } from '@tanstack/react-router';

import { MembersPage } from '../features/structure/MembersPage.js';
import { type MembersAddress, readMembersAddress } from '../features/structure/members-address.js';
import { entriesQuery } from '../features/structure/resources.js';
import type { SearchChange } from '../model/search-params.js';

export const Route = createFileRoute('/_app/device-groups/$deviceGroupId')({
  validateSearch: readMembersAddress,
  loader: ({ context: { queryClient } }) => void queryClient.prefetchQuery(entriesQuery('device-groups')),
  component: function Members() {
    const { deviceGroupId } = Route.useParams();
    const navigate = Route.useNavigate();
    const onAddress = (search: SearchChange<MembersAddress>): void => void navigate({ search, replace: true });
    return <MembersPage kind="device-groups" id={deviceGroupId} address={Route.useSearch()} onAddress={onAddress} />;
  },
});
