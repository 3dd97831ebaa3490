import { createFileRoute, redirect } from '@tanstack/react-router';

import { oneOf } from '../model/search-params.js';

/** Previews are part of the tab Screen. Earlier addresses lead there. */
export const Route = createFileRoute('/_app/devices/$deviceId/preview')({
  validateSearch: (search): { process?: string } => ({ process: oneOf(search.process) }),
  beforeLoad({ params, search }) {
    throw redirect({ to: '/devices/$deviceId/screen', params, search, replace: true });
  },
});
