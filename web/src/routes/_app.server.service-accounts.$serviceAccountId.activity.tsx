import { createFileRoute } from '@tanstack/react-router';

import { ActivityOf } from '../features/change-log/ActivityOf.js';
import { oneOf } from '../model/search-params.js';

export const Route = createFileRoute('/_app/server/service-accounts/$serviceAccountId/activity')({
  validateSearch: (search): { entry?: string } => ({ entry: oneOf(search.entry) }),
  component: function Activity() {
    const { serviceAccountId } = Route.useParams();
    const { entry } = Route.useSearch();
    const navigate = Route.useNavigate();
    return <ActivityOf log="server" id={serviceAccountId} entry={entry} onEntry={(search) => void navigate({ search, replace: true })} />;
  },
});
