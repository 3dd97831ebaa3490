import type { Session } from '../../../access/session.js';
import type { Schemas } from '../../../api/client.js';

type Scope = Schemas['CredentialScopeDto'];
type Rights = Pick<Session, 'serverPermissions' | 'tenantPermissions'>;

/** The permissions that a token can get of its owner, by name. */
export const offeredPermissions = ({ serverPermissions, tenantPermissions }: Rights): readonly string[] =>
  [...new Set([...tenantPermissions, ...serverPermissions])].sort();

/** Scopes of a Restricted token: each permission at the owner's tenant, or at the server if it is held there only. */
export const scopesOf = (permissions: readonly string[], { tenantPermissions }: Rights): Scope[] =>
  permissions.map((permissionName) => ({
    permissionName,
    scopeKind: tenantPermissions.includes(permissionName) ? 'Tenant' : 'Server',
    scopeId: null,
  }));

const DAY = 86_400_000;

/** Lifetimes of a new token, in days. */
export const LIFETIMES = ['30', '90', '365', 'never'] as const;
export type Lifetime = (typeof LIFETIMES)[number];

/** Expiry of a token that is created now; null if it never expires. */
export const expiryOf = (lifetime: Lifetime, now: number): string | null =>
  lifetime === 'never' ? null : new Date(now + Number(lifetime) * DAY).toISOString();
