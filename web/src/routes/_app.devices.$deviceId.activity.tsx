import { createFileRoute } from '@tanstack/react-router';

import { ActivityTab } from '../features/device/activity/ActivityTab.js';
import { oneOf } from '../model/search-params.js';

export const Route = createFileRoute('/_app/devices/$deviceId/activity')({
  // The tab drops what it does not know: the kinds would be part of the first load.
  validateSearch: (search): { kind?: string; person?: string } => ({ kind: oneOf(search.kind), person: oneOf(search.person) }),
  component: function Activity() {
    return <ActivityTab search={Route.useSearch()} />;
  },
});
