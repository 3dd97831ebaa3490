import { createFileRoute } from '@tanstack/react-router';

import { ChangeLogEntries } from '../features/change-log/ChangeLogEntries.js';
import { oneOf } from '../search-params.js';

/** What the change log has about it: what it has done, and what was done to it. */
export const Route = createFileRoute('/_app/server/service-accounts/$serviceAccountId/activity')({
  validateSearch: (search): { entry?: string } => ({ entry: oneOf(search.entry) }),
  component: function Activity() {
    const { serviceAccountId: text } = Route.useParams();
    const { entry } = Route.useSearch();
    const navigate = Route.useNavigate();
    return (
      <ChangeLogEntries
        log="server"
        search={{ text, entry }}
        isGiven
        onSearch={(search) => void navigate({ search: { entry: search.entry }, replace: true })}
      />
    );
  },
});
