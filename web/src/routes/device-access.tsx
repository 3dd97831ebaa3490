import { createFileRoute, redirect } from '@tanstack/react-router';

import { requireSignedIn } from '../access/guards.js';
import { oneOf } from '../model/search-params.js';

/**
 * Target of links with a logon token, after the service has redeemed the token. The session decides what the page shows besides the device.
 */
export const Route = createFileRoute('/device-access')({
  validateSearch: (search): { deviceId?: string } => ({ deviceId: oneOf(search.deviceId) }),
  beforeLoad: async ({ location, search }) => {
    const session = await requireSignedIn(location.href);
    const deviceId = session.deviceId ?? search.deviceId;
    if (deviceId === undefined) throw redirect({ to: '/devices', replace: true });
    throw redirect({ to: '/devices/$deviceId', params: { deviceId }, replace: true });
  },
});
