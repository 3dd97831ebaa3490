import type { Scope, ScopeKind } from '../../model/permissions/scopes.js';
import type { Principal, PrincipalKind } from '../../api/access/permission-assignments.js';

/*
 * The question in the address, in three parts: `who` is a principal (`User:ID`), `what` a permission, `on` a scope (`Device:ID`). Kinds are
 * read in any case.
 */

const PRINCIPAL_KINDS: readonly PrincipalKind[] = ['User', 'UserGroup', 'ServiceAccount'];
/** Scope kinds, the broadest first. */
export const SCOPE_KINDS: readonly ScopeKind[] = ['Server', 'Tenant', 'CustomerTenant', 'DeviceGroup', 'Device', 'UserGroup'];

/** Value of the permission that stands for all of them. */
export const EVERYTHING = 'everything';

/** A kind and an id as they stand in the address. */
function split<T extends string>(text: string | undefined, kinds: readonly T[]): readonly [T, string] | null {
  const [word = '', id = ''] = text?.split(':', 2) ?? [];
  const kind = kinds.find((each) => each.toLowerCase() === word.toLowerCase());
  return kind === undefined ? null : [kind, id];
}

/** Principal of the question; null if the address does not name one. */
export function principalOf(who: string | undefined): Principal | null {
  const [kind, id] = split(who, PRINCIPAL_KINDS) ?? [];
  return kind === undefined || id === undefined || id === '' ? null : { kind, id };
}

/** Scope of the question. Only the server has no id. */
export function scopeOf(on: string | undefined): Scope | null {
  const [kind, id] = split(on, SCOPE_KINDS) ?? [];
  if (kind === 'Server') return { kind, id: null };
  return kind === undefined || id === undefined || id === '' ? null : { kind, id };
}
