import { forbidden } from '../../../platform/common/errors/errors.js';

/** The identity that a request acts as, and its credential. Authorization reads nothing else about the caller. */
export type Principal = UserPrincipal | TenantServiceAccountPrincipal | ServerServiceAccountPrincipal | SystemPrincipal;

/** A person who signed in by cookie or bearer token, or whose token is used. */
export interface UserPrincipal {
  readonly type: 'User';
  readonly id: string;
  readonly tenantId: string;
  readonly name: string;
  readonly credential: UserCredential;
  /** While true, the user may do nothing but set a new password. */
  readonly mustChangePassword: boolean;
}

/** The credential with which a user authenticated, and its limits on the user's rights. */
export type UserCredential =
  | {
      readonly type: 'Session';
      readonly id: string;
      /** Time of the user's last proof of identity, in milliseconds since 1970. */
      readonly provenAt: number;
    }
  /** Tokens of a program in which the user signed in, with all rights of the user. */
  | { readonly type: 'Bearer'; readonly id: string; readonly provenAt: number }
  | { readonly type: 'PersonalAccessToken'; readonly id: string; readonly mode: 'Restricted' | 'InheritOwner' }
  | {
      readonly type: 'LogonToken';
      /** The token, whose assignments are the only rights of the session. */
      readonly id: string;
      readonly sessionId: string;
      /** The only device that the session can reach. */
      readonly deviceId: string;
      /** The desktop sessions that the session can reach; null for all of the device. */
      readonly allowedDesktopSessionIds: readonly number[] | null;
      /** The id of an external user in the system that asked for the token. */
      readonly userCorrelationId: string | null;
      readonly sessionCorrelationId: string | null;
      /** The maker of the token: the session can do nothing that its maker can no longer do. Null for tokens of earlier versions. */
      readonly maker: TokenMaker | null;
    };

/** The account that made a logon token, and the personal access token that it used. */
export interface TokenMaker {
  readonly kind: 'User' | 'ServiceAccount';
  readonly id: string;
  /** The tenant that the maker is confined to; null for service accounts of the server. */
  readonly tenantId: string | null;
  /** True if it is a service account of the server that bypasses evaluation. */
  readonly isUnrestricted: boolean;
  /** The restricted personal access token that the token was made with; null for other credentials. */
  readonly restrictedTokenId: string | null;
}

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

const LET_IN_BY_LINK = 'Your link opens one device only. To do this, sign in to your account.';

export const SYSTEM: SystemPrincipal = { type: 'System', name: 'system' };

/** The tenant that a principal is bound to; null for server service accounts and the system. */
export function tenantOf(principal: Principal): string | null {
  return principal.type === 'User' || principal.type === 'TenantServiceAccount' ? principal.tenantId : null;
}

/** The id of the principal's own row; null for the system. */
export function idOf(principal: Principal): string | null {
  return principal.type === 'System' ? null : principal.id;
}

/** The calling user; 403 for service accounts, which have no user record. */
export function userIdOf(principal: Principal): string {
  if (principal.type !== 'User') throw forbidden('Only users can do this: a service account has no user record.');
  return principal.id;
}

/** Checks whether a user is signed in, in contrast to a program that uses a token, or a visitor whom a logon token let in. */
export function isSignedIn(principal: Principal): boolean {
  return principal.type === 'User' && (principal.credential.type === 'Session' || principal.credential.type === 'Bearer');
}

/** Checks whether the principal is a program in which a user signed in. */
export function isOfProgram(principal: Principal): boolean {
  return principal.type === 'User' && principal.credential.type === 'Bearer';
}

/**
 * Names that the system which asked for a logon token gives its user and the session; null for other credentials and where it gave none.
 */
export interface Correlation {
  readonly userCorrelationId: string | null;
  readonly sessionCorrelationId: string | null;
}

const UNCORRELATED: Correlation = { userCorrelationId: null, sessionCorrelationId: null };

/** The correlation ids of a principal. They stand in every log entry and record of its session's actions. */
export function correlationOf(principal: Principal): Correlation {
  if (principal.type !== 'User' || principal.credential.type !== 'LogonToken') return UNCORRELATED;
  const { userCorrelationId, sessionCorrelationId } = principal.credential;
  return { userCorrelationId, sessionCorrelationId };
}

/** The correlation ids for log entries: only those that are set. */
export function correlationFactsOf(principal: Principal): Partial<Record<keyof Correlation, string>> {
  const { userCorrelationId, sessionCorrelationId } = correlationOf(principal);
  return {
    ...(userCorrelationId === null ? {} : { userCorrelationId }),
    ...(sessionCorrelationId === null ? {} : { sessionCorrelationId }),
  };
}

/** Checks whether a user has to set a new password before anything else. */
export function mustChangePassword(principal: Principal): boolean {
  return principal.type === 'User' && principal.mustChangePassword;
}

/** The id of the key or token that the principal came with; null for sessions and for the system. */
export function credentialIdOf(principal: Principal): string | null {
  if (principal.type === 'System') return null;
  if (principal.type !== 'User') return principal.credentialId;
  const { type, id } = principal.credential;
  return type === 'Session' || type === 'Bearer' ? null : id;
}

/** The id by which a caller is counted and which others see: that of its account. */
export function callerIdOf(principal: Principal): string {
  if (principal.type === 'System') throw new Error('The system principal calls no routes and has no data of its own.');
  return principal.id;
}

/** Returns the share of the service that a caller uses: that of its tenant. A service account of the server has one of its own. */
export function shareOf(principal: Principal): string {
  return tenantOf(principal) ?? callerIdOf(principal);
}

/**
 * The id that owns the stored values and preferences of a caller. The session of a logon token has its own, for itself alone: it acts for a
 * user and is not that user.
 */
export function dataOwnerOf(principal: Principal): string {
  return principal.type === 'User' && principal.credential.type === 'LogonToken' ? principal.credential.sessionId : callerIdOf(principal);
}

/** 403 for the session of a logon token, which may reach a device but not the user's personal data. */
export function requireNoLogonToken(principal: Principal): void {
  if (principal.type === 'User' && principal.credential.type === 'LogonToken') throw forbidden(LET_IN_BY_LINK);
}

/** Checks whether the principal may name any tenant in a request. */
export function mayNameAnyTenant(principal: Principal): boolean {
  return principal.type === 'ServerServiceAccount' || principal.type === 'System';
}

/** Checks whether the principal may name this tenant: its own, or any. */
export function mayNameTenant(principal: Principal, tenantId: string): boolean {
  return mayNameAnyTenant(principal) || tenantOf(principal) === tenantId;
}
