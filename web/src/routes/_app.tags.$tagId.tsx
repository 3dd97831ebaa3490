import { createFileRoute } from '@tanstack/react-router';

import { MembersPage } from '../features/structure/MembersPage.js';
import { readMembersAddress } from '../features/structure/members-address.js';
import { entriesQuery } from '../features/structure/resources.js';

export const Route = createFileRoute('/_app/tags/$tagId')({
  validateSearch: readMembersAddress,
  loader: ({ context: { queryClient } }) => void queryClient.prefetchQuery(entriesQuery('tags')),
  component: function Members() {
    const { tagId } = Route.useParams();
    const navigate = Route.useNavigate();
    const onAddress = (search: ReturnType<typeof Route.useSearch>): void => void navigate({ search, replace: true });
    return <MembersPage kind="tags" id={tagId} address={Route.useSearch()} onAddress={onAddress} />;
  },
});
