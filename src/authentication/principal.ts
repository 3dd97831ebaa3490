/** Who a request acts as, and with which credential. Authorization reads nothing else about the caller. */
export type Principal = UserPrincipal | TenantServiceAccountPrincipal | ServerServiceAccountPrincipal | SystemPrincipal;

/** A person who signed in by cookie or bearer token, or whose token is used. */
export interface UserPrincipal {
  readonly type: 'User';
  readonly id: string;
  readonly tenantId: string;
  readonly name: string;
  readonly credential: UserCredential;
}

/** How a user authenticated, and how the credential narrows the user's rights. */
export type UserCredential =
  | { readonly type: 'Session' }
  | { readonly type: 'PersonalAccessToken'; readonly id: string; readonly mode: 'Restricted' | 'InheritOwner' }
  | {
      readonly type: 'LogonToken';
      readonly id: string;
      /** The only device that the session can reach. */
      readonly deviceId: string;
      /** The desktop sessions that the session can reach; null for all of the device. */
      readonly allowedDesktopSessionIds: readonly number[] | null;
      readonly sessionCorrelationId: string | null;
    };

/** A service account that is confined to its tenant. */
export interface TenantServiceAccountPrincipal {
  readonly type: 'TenantServiceAccount';
  readonly id: string;
  readonly tenantId: string;
  readonly name: string;
  readonly credentialId: string;
}

/** A service account of the server, which may name any tenant. */
export interface ServerServiceAccountPrincipal {
  readonly type: 'ServerServiceAccount';
  readonly id: string;
  readonly name: string;
  readonly credentialId: string;
  readonly accessMode: 'Restricted' | 'Unrestricted';
}

/** The service itself, for bootstrap, registration by installer key and scheduled work. It never calls a route. */
export interface SystemPrincipal {
  readonly type: 'System';
  readonly name: 'system';
}

export const SYSTEM: SystemPrincipal = { type: 'System', name: 'system' };

/** The tenant that a principal is bound to; null for server service accounts and the system. */
export function tenantOf(principal: Principal): string | null {
  return principal.type === 'User' || principal.type === 'TenantServiceAccount' ? principal.tenantId : null;
}

/** The id of the principal's own row; null for the system. */
export function idOf(principal: Principal): string | null {
  return principal.type === 'System' ? null : principal.id;
}

/** The id that owns the personal data of a caller. */
export function callerIdOf(principal: Principal): string {
  if (principal.type === 'System') throw new Error('The system principal calls no routes and has no data of its own.');
  return principal.id;
}

/** Whether the principal may name any tenant in a request. */
export function mayNameAnyTenant(principal: Principal): boolean {
  return principal.type === 'ServerServiceAccount' || principal.type === 'System';
}

/** Whether the principal may name this tenant: its own, or any. */
export function mayNameTenant(principal: Principal, tenantId: string): boolean {
  return mayNameAnyTenant(principal) || tenantOf(principal) === tenantId;
}
