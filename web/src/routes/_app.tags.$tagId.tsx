import { createFileRoute } from '@tanstack/react-router';

import { MembersPage } from '../features/structure/MembersPage.js';
import { type MembersAddress, readMembersAddress } from '../features/structure/members-address.js';
import { entriesQuery } from '../features/structure/resources.js';
import type { SearchChange } from '../model/search-params.js';

export const Route = createFileRoute('/_app/tags/$tagId')({
  validateSearch: readMembersAddress,
  loader: ({ context: { queryClient } }) => void queryClient.prefetchQuery(entriesQuery('tags')),
  component: function Members() {
    const { tagId } = Route.useParams();
    const navigate = Route.useNavigate();
    const onAddress = (search: SearchChange<MembersAddress>): void => void navigate({ search, replace: true });
    return <MembersPage kind="tags" id={tagId} address={Route.useSearch()} onAddress={onAddress} />;
  },
});
