import {
  PermissionEffect,
  PermissionScopeKind,
  type PermissionDefinition,
} from '../../../src/access/authorization/permissions/permission.js';
import { PermissionAssignment } from '../../../src/access/permission-assignments/permission-assignment.entity.js';
import { InstallerKeyCreatorKind } from '../../../src/devices/installer-keys/installer-key.entity.js';
import { PersonalAccessTokenPermissionMode } from '../../../src/people/personal-access-tokens/personal-access-token.entity.js';
import { newGuid } from '../../../src/platform/common/identifiers/guid.js';
import { InvalidationBus } from '../../../src/platform/database/invalidation/invalidation-bus.js';
import { insertRows } from '../../../src/platform/database/queries/insert-rows.js';
import type { Tenant } from '../../../src/tenants/tenants/tenant.entity.js';
import type { Owner } from '../../routes/scene.js';
import type { ApiClient } from '../../support/application/api-client.js';
import type { TestApp } from '../../support/application/app.js';
import {
  addToUserGroup,
  at,
  createPersonalAccessToken,
  createServiceAccountWithKey,
  createUser,
  createUserGroup,
  holder,
  type Holder,
  type Scope,
} from '../../support/fixtures/factories.js';

/** The kinds of callers whose rights come from assignments. */
export const callerKinds = ['user', 'user through a group', 'restricted token', 'tenant account', 'restricted server account'] as const;
export type CallerKind = (typeof callerKinds)[number];

/** A caller and the holders of its assignments. */
export interface Caller {
  readonly kind: CallerKind;
  readonly client: ApiClient;
  /** The headers with its credential. */
  readonly headers: Record<string, string>;
  readonly owner: Owner;
  /** The caller itself, for assignments besides those of its holders. */
  readonly self: Holder;
  /** The principals that must all hold a permission. */
  readonly holders: readonly Holder[];
}

/** An assignment to create. */
export interface Right {
  readonly holder: Holder;
  readonly permission: PermissionDefinition;
  readonly scope: Scope;
  readonly effect?: PermissionEffect;
}

/** A caller of a kind, without assignments. */
export async function createCaller(server: TestApp, tenant: Tenant, kind: CallerKind): Promise<Caller> {
  if (kind === 'tenant account' || kind === 'restricted server account') {
    const { account, key } = await createServiceAccountWithKey(server, kind === 'tenant account' ? { tenantId: tenant.id } : {});
    const creatorKind =
      kind === 'tenant account' ? InstallerKeyCreatorKind.TenantServiceAccount : InstallerKeyCreatorKind.ServerServiceAccount;
    const headers = { 'x-api-key': key };
    const self = holder.serviceAccount(account);
    return { kind, client: server.client(headers), headers, owner: { id: account.id, creatorKind }, self, holders: [self] };
  }
  const user = await createUser(server, { tenantId: tenant.id });
  const isRestricted = kind === 'restricted token';
  const permissionMode = isRestricted ? PersonalAccessTokenPermissionMode.Restricted : PersonalAccessTokenPermissionMode.InheritOwner;
  const { key, token } = await createPersonalAccessToken(server, user, { permissionMode });
  const self = holder.user(user);
  const owner = { id: user.id, creatorKind: InstallerKeyCreatorKind.User };
  const headers = { 'x-personal-token': key };
  const caller = { kind, client: server.client(headers), headers, owner, self };
  if (isRestricted) return { ...caller, holders: [self, holder.personalAccessToken(token)] };
  if (kind === 'user') return { ...caller, holders: [self] };
  const group = await createUserGroup(server, { tenantId: tenant.id });
  await addToUserGroup(server, group, user);
  return { ...caller, holders: [holder.userGroup(group)] };
}

/** Returns true if callers of the kind belong to a tenant. */
export function isOfTenant(kind: CallerKind): boolean {
  return kind !== 'restricted server account';
}

/** Returns true if callers of the kind act as a user. */
export function isUser(kind: CallerKind): boolean {
  return kind !== 'restricted server account' && kind !== 'tenant account';
}

/** Returns true if a permission can be held at the server only. */
export function isOfServer({ scopeKinds }: PermissionDefinition): boolean {
  return !scopeKinds.includes(PermissionScopeKind.Tenant);
}

/** The broadest scope inside the tenant at which a permission is legal, or the server if there is none. */
function broadScope(permission: PermissionDefinition, tenant: Tenant): Scope {
  return isOfServer(permission) ? at.server : at.tenant(tenant);
}

/** Rights for every holder of the caller to each of the permissions, at the broadest scope inside the tenant. */
export function broadRights(caller: Pick<Caller, 'holders'>, permissions: readonly PermissionDefinition[], tenant: Tenant): Right[] {
  return caller.holders.flatMap((one) =>
    permissions.map((permission) => ({ holder: one, permission, scope: broadScope(permission, tenant) })),
  );
}

/** Rights for every holder of the caller to a permission at a scope. */
export function rightsAt(
  caller: Pick<Caller, 'holders'>,
  permission: PermissionDefinition,
  scope: Scope,
  effect?: PermissionEffect,
): Right[] {
  return caller.holders.map((one) => ({ holder: one, permission, scope, effect }));
}

/** Stores assignments, each once, and clears the caches of the application. */
export async function giveRights(server: TestApp, rights: readonly Right[]): Promise<void> {
  const rows = new Map(
    rights.map(({ holder: { kind, id }, permission, scope, effect = PermissionEffect.Allow }) => [
      [kind, id, permission.name, scope.scopeKind, scope.scopeId, effect].join(),
      { id: newGuid(), principalKind: kind, principalId: id, permissionName: permission.name, effect, ...scope },
    ]),
  );
  await insertRows(server.dataSource.manager, PermissionAssignment, [...rows.values()]);
  server.app.get(InvalidationBus).forgetAll();
}
