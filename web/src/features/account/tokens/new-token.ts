import type { CatalogEntry } from '../../../api/access/permission-assignments.js';
import type { Rights } from '../../../access/rights.js';
import type { Schemas } from '../../../api/client.js';
import type { Cell } from '../../../model/permissions/scopes.js';

type Scope = Schemas['CredentialScopeDto'];

/** The permissions that a token can get of its owner. */
export function offeredPermissions(catalog: readonly CatalogEntry[], rights: Rights): readonly CatalogEntry[] {
  const held = new Set([...rights.tenantPermissions, ...rights.serverPermissions, ...rights.devicePermissions]);
  return catalog.filter(({ name }) => held.has(name));
}

/** True if the owner of a token holds a permission at a scope, as far as the page knows: of a narrow one, if only on some devices. */
export function holdsAt({ tenantPermissions, serverPermissions, devicePermissions }: Rights, { permission, scope }: Cell): boolean {
  if (serverPermissions.includes(permission)) return true;
  if (scope.kind === 'Server') return false;
  return tenantPermissions.includes(permission) || (scope.kind !== 'Tenant' && devicePermissions.includes(permission));
}

/** Scopes of a Restricted token from the cells that were chosen. */
export const scopesOf = (cells: readonly Cell[]): Scope[] =>
  cells.map(({ permission, scope }) => ({
    permissionName: permission,
    scopeKind: scope.kind,
    scopeId: scope.kind === 'Tenant' || scope.kind === 'Server' ? null : scope.id,
  }));

const DAY = 86_400_000;

/** Lifetimes of a new token, in days. */
export const LIFETIMES = ['30', '90', '365', 'never'] as const;
export type Lifetime = (typeof LIFETIMES)[number];

/** Expiry of a token that is created now; null if it never expires. */
export const expiryOf = (lifetime: Lifetime, now: number): string | null =>
  lifetime === 'never' ? null : new Date(now + Number(lifetime) * DAY).toISOString();
