import type { DesktopSession } from '#libs/contracts';

import type { Principal } from '../../access/authentication/principals/principal.js';

/**
 * Checks that a principal may see and reach a desktop session. A logon token reaches only its device, and there all sessions or those
 * that it lists.
 */
export function mayReachDesktopSession(principal: Principal, deviceId: string, systemSessionId: number): boolean {
  if (principal.type !== 'User' || principal.credential.type !== 'LogonToken') return true;
  const { credential } = principal;
  if (credential.deviceId !== deviceId) return false;
  return credential.allowedDesktopSessionIds === null || credential.allowedDesktopSessionIds.includes(systemSessionId);
}

/** Checks that a principal may reach every desktop of a device: not with a logon token that lists some or is for another device. */
export function mayReachAllDesktops(principal: Principal, deviceId: string): boolean {
  if (principal.type !== 'User' || principal.credential.type !== 'LogonToken') return true;
  return principal.credential.deviceId === deviceId && principal.credential.allowedDesktopSessionIds === null;
}

/** The desktop sessions of a device that a principal may see. */
export function visibleDesktopSessions(principal: Principal, deviceId: string, sessions: readonly DesktopSession[]): DesktopSession[] {
  return sessions.filter(({ systemSessionId }) => mayReachDesktopSession(principal, deviceId, systemSessionId));
}
