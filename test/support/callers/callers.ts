import { AuthorizationChangeLog } from '../../../src/access/authorization/change-log/change-log.entity.js';
import {
  PermissionScopeKind,
  type PermissionDefinition,
  type PermissionEffect,
} from '../../../src/access/authorization/permissions/permission.js';
import {
  PersonalAccessTokenPermissionMode,
  type PersonalAccessToken,
} from '../../../src/people/personal-access-tokens/personal-access-token.entity.js';
import type { User } from '../../../src/people/users/user.entity.js';
import type { Tenant } from '../../../src/tenants/tenants/tenant.entity.js';
import type { ApiAnswer, ApiClient } from '../application/api-client.js';
import type { TestApp } from '../application/app.js';
import {
  at,
  createPersonalAccessToken,
  createServiceAccountWithKey,
  createUser,
  grant,
  grantAll,
  holder,
  type Scope,
} from '../fixtures/factories.js';

/** A user that calls with a token that inherits all its rights. */
export interface CallingUser {
  readonly user: User;
  readonly client: ApiClient;
}

/** A client with a new token that inherits all rights of the user. */
export async function clientOf(server: TestApp, user: User): Promise<ApiClient> {
  const { key } = await createPersonalAccessToken(server, user, { permissionMode: PersonalAccessTokenPermissionMode.InheritOwner });
  return server.client({ 'x-personal-token': key });
}

/** A new user that holds the permissions on its tenant, or on the server if they are legal only there. */
export async function callingUser(server: TestApp, tenant: Tenant, permissions: readonly PermissionDefinition[]): Promise<CallingUser> {
  const user = await createUser(server, { tenantId: tenant.id });
  for (const permission of permissions) {
    const scope = permission.scopeKinds.includes(PermissionScopeKind.Tenant) ? at.tenant(tenant) : at.server;
    await grant(server, { principal: holder.user(user), permission, scope });
  }
  return { user, client: await clientOf(server, user) };
}

/** A user that calls with a Restricted token. */
export interface UserWithToken extends CallingUser {
  readonly token: PersonalAccessToken;
}

/** A new user and a Restricted token of that user, which both hold the permissions on the tenant. */
export async function userWithToken(
  server: TestApp,
  tenant: Pick<Tenant, 'id'>,
  permissions: readonly PermissionDefinition[],
  values: Partial<PersonalAccessToken> = {},
): Promise<UserWithToken> {
  const user = await createUser(server, { tenantId: tenant.id });
  const { token, key } = await createPersonalAccessToken(server, user, values);
  for (const principal of [holder.user(user), holder.personalAccessToken(token)]) {
    await grantAll(server, principal, permissions, at.tenant(tenant));
  }
  return { user, token, client: server.client({ 'x-personal-token': key }) };
}

/** A permission at a scope; Allow by default. */
export type Right = readonly [PermissionDefinition, Scope, PermissionEffect?];

/** Calls as a new service account of the tenant, or of the server without one, that holds these rights only. */
export async function accountWith(server: TestApp, tenant: Pick<Tenant, 'id'> | null, ...rights: readonly Right[]): Promise<ApiClient> {
  const { account, key } = await createServiceAccountWithKey(server, { tenantId: tenant?.id ?? null });
  for (const [permission, scope, effect] of rights) {
    await grant(server, { principal: holder.serviceAccount(account), permission, scope, ...(effect === undefined ? {} : { effect }) });
  }
  return server.client({ 'x-api-key': key });
}

/** The entries of the change log about an object, in order. */
export function logOf(server: TestApp, targetId: string): Promise<AuthorizationChangeLog[]> {
  return server.dataSource.manager.find(AuthorizationChangeLog, { where: { targetId }, order: { createdAt: 'ASC', id: 'ASC' } });
}

/** The change log of an object: actions with their states, in order. */
export async function changesOf(
  server: TestApp,
  targetId: string,
): Promise<{ readonly action: string; readonly before: unknown; readonly after: unknown }[]> {
  const rows = await logOf(server, targetId);
  const read = (json: string | null): unknown => (json === null ? null : JSON.parse(json));
  return rows.map(({ actionType, beforeJson, afterJson }) => ({ action: actionType, before: read(beforeJson), after: read(afterJson) }));
}

/** The message of a refusal. */
export function detailOf({ body }: Pick<ApiAnswer, 'body'>): unknown {
  return typeof body === 'object' && body !== null && 'detail' in body ? body.detail : undefined;
}

/** The names under `errors` of a refusal. */
export function wrongFieldsOf({ body }: ApiAnswer): string[] {
  const hasErrors = typeof body === 'object' && body !== null && 'errors' in body && typeof body.errors === 'object';
  return hasErrors ? Object.keys(body.errors ?? {}) : [];
}

/** The statuses of several answers, smallest first. */
export function statusesOf(answers: readonly ApiAnswer[]): number[] {
  return answers.map(({ status }) => status).sort((a, b) => a - b);
}
