import type { DesktopSession } from '#libs/contracts';

import type { Principal } from '../authentication/principal.js';

/** The desktop sessions that a principal may see: all of them, but a logon token only its device's and only those it lists. */
export function visibleDesktopSessions(principal: Principal, deviceId: string, sessions: readonly DesktopSession[]): DesktopSession[] {
  if (principal.type !== 'User' || principal.credential.type !== 'LogonToken') return [...sessions];
  if (principal.credential.deviceId !== deviceId) return [];
  const allowed = principal.credential.allowedDesktopSessionIds;
  return allowed === null ? [...sessions] : sessions.filter(({ systemSessionId }) => allowed.includes(systemSessionId));
}
