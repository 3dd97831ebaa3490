import { holds } from '../../access/rights.js';
import type { Session } from '../../access/session.js';

/** The tabs of a user, with the permission that each asks for. */
const TABS = [
  { id: 'access', to: '/users/$userId/access', permission: 'tenant.permissions.read' },
  { id: 'groups', to: '/users/$userId/groups', permission: 'tenant.user-groups.read' },
  { id: 'tokens', to: '/users/$userId/tokens', permission: 'personal-access-token.others.read' },
  { id: 'sign-ins', to: '/users/$userId/sign-ins', permission: 'tenant.users.read' },
  { id: 'activity', to: '/users/$userId/activity', permission: 'tenant.authorization-logs.read' },
] as const;

/** The tabs that a session may open. */
export const userTabs = (session: Session) => TABS.filter(({ permission }) => holds(session, permission));
