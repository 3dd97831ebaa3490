import { holds } from '../../access/rights.js';
import type { Session } from '../../access/session.js';

/** The tabs of a user group, with the permission that each asks for. */
const TABS = [
  { id: 'members', to: '/user-groups/$userGroupId/members', permission: 'tenant.user-groups.read' },
  { id: 'access', to: '/user-groups/$userGroupId/access', permission: 'tenant.permissions.read' },
  { id: 'activity', to: '/user-groups/$userGroupId/activity', permission: 'tenant.authorization-logs.read' },
] as const;

/** The tabs that a session may open. */
export const groupTabs = (session: Session) => TABS.filter(({ permission }) => holds(session, permission));
