import { holds } from '../../access/rights.js';
import type { Session } from '../../access/session.js';
import type { AccountsOf } from '../../api/people/service-accounts.js';

/** The tabs of a service account, with the permission that each asks for. */
const TABS = {
  tenant: [
    { id: 'keys', to: '/service-accounts/$serviceAccountId/keys', permission: 'service-account.read' },
    { id: 'access', to: '/service-accounts/$serviceAccountId/access', permission: 'tenant.permissions.read' },
    { id: 'activity', to: '/service-accounts/$serviceAccountId/activity', permission: 'tenant.authorization-logs.read' },
  ],
  server: [
    { id: 'keys', to: '/server/service-accounts/$serviceAccountId/keys', permission: 'server.service-accounts.read' },
    { id: 'access', to: '/server/service-accounts/$serviceAccountId/access', permission: 'tenant.permissions.read' },
    { id: 'activity', to: '/server/service-accounts/$serviceAccountId/activity', permission: 'server.authorization-logs.read' },
  ],
} as const;

/** The tabs that a session may open. */
export const accountTabs = (of: AccountsOf, session: Session) => TABS[of].filter(({ permission }) => holds(session, permission));
