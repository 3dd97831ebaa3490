import type { DeepPartial } from 'typeorm';

import type {
  ServerServiceAccountPrincipal,
  TenantServiceAccountPrincipal,
  UserPrincipal,
} from '../../src/access/authentication/principal.js';
import {
  PermissionEffect,
  PermissionPrincipalKind,
  PermissionScopeKind,
  type PermissionDefinition,
} from '../../src/access/authorization/permission.js';
import { PermissionAssignment } from '../../src/access/permission-assignments/permission-assignment.entity.js';
import { Customer } from '../../src/devices/customers/customer.entity.js';
import { DeviceGroup, DeviceGroupMember } from '../../src/devices/device-groups/device-group.entity.js';
import { Device } from '../../src/devices/devices/device.entity.js';
import { LogonToken } from '../../src/people/logon-tokens/logon-token.entity.js';
import {
  PersonalAccessToken,
  PersonalAccessTokenPermissionMode,
} from '../../src/people/personal-access-tokens/personal-access-token.entity.js';
import {
  ServiceAccount,
  ServiceAccountAccessMode,
  ServiceAccountCredential,
  ServiceAccountKind,
} from '../../src/people/service-accounts/service-account.entity.js';
import { UserGroup, UserGroupMember } from '../../src/people/user-groups/user-group.entity.js';
import { User } from '../../src/people/users/user.entity.js';
import { newGuid } from '../../src/platform/common/guid.js';
import { formatKey, hashSecret, newSecret } from '../../src/platform/common/secret.js';
import { InvalidationBus } from '../../src/platform/database/invalidation-bus.js';
import { Tenant } from '../../src/tenants/tenants/tenant.entity.js';
import type { TestApp } from './app.js';

/*
 * Rows for tests that are about something other than the routes that create them. They are written through the
 * entities, without the rules of the services, and the caches of the application are cleared at once.
 */

/** The holder of an assignment. */
export interface Holder {
  readonly kind: PermissionPrincipalKind;
  readonly id: string;
}

/** The scope of an assignment, and the tenant that owns it. */
export interface Scope {
  readonly scopeKind: PermissionScopeKind;
  readonly scopeId: string | null;
  readonly owningTenantId: string | null;
}

/** A service account that can call: its rows, its `x-api-key` value and its principal. */
export interface CallingServiceAccount {
  readonly account: ServiceAccount;
  readonly credential: ServiceAccountCredential;
  readonly key: string;
  readonly principal: TenantServiceAccountPrincipal | ServerServiceAccountPrincipal;
}

/** A personal access token with its `x-personal-token` value and its principal. */
export interface CallingToken {
  readonly token: PersonalAccessToken;
  readonly key: string;
  readonly principal: UserPrincipal;
}

/** The holder that a row stands for. */
export const holder = {
  user: ({ id }: Pick<User, 'id'>): Holder => ({ kind: PermissionPrincipalKind.User, id }),
  userGroup: ({ id }: Pick<UserGroup, 'id'>): Holder => ({ kind: PermissionPrincipalKind.UserGroup, id }),
  serviceAccount: ({ id }: Pick<ServiceAccount, 'id'>): Holder => ({ kind: PermissionPrincipalKind.ServiceAccount, id }),
  personalAccessToken: ({ id }: Pick<PersonalAccessToken, 'id'>): Holder => ({ kind: PermissionPrincipalKind.PersonalAccessToken, id }),
  logonToken: ({ id }: Pick<LogonToken, 'id'>): Holder => ({ kind: PermissionPrincipalKind.LogonToken, id }),
};

type OwnedByTenant = { readonly id: string; readonly tenantId: string };

const within =
  (scopeKind: PermissionScopeKind) =>
  ({ id, tenantId }: OwnedByTenant): Scope => ({ scopeKind, scopeId: id, owningTenantId: tenantId });

/** The scope that a row stands for. */
export const at = {
  server: { scopeKind: PermissionScopeKind.Server, scopeId: null, owningTenantId: null } as Scope,
  tenant: ({ id }: Pick<Tenant, 'id'>): Scope => ({ scopeKind: PermissionScopeKind.Tenant, scopeId: id, owningTenantId: id }),
  customer: within(PermissionScopeKind.CustomerTenant),
  deviceGroup: within(PermissionScopeKind.DeviceGroup),
  device: within(PermissionScopeKind.Device),
  userGroup: within(PermissionScopeKind.UserGroup),
};

/** An empty tenant. */
export function createTenant(server: TestApp, values: Partial<Tenant> = {}): Promise<Tenant> {
  const id = newGuid();
  return insert(server, Tenant, { id, name: `Tenant ${id}`, ...values });
}

/** A user of a tenant, without password and permissions. */
export function createUser(server: TestApp, values: Partial<User> & Pick<User, 'tenantId'>): Promise<User> {
  const id = newGuid();
  const userName = values.userName ?? `user-${id}@example.org`;
  return insert(server, User, {
    id,
    userName,
    normalizedUserName: userName.toUpperCase(),
    email: userName,
    normalizedEmail: userName.toUpperCase(),
    emailConfirmed: true,
    securityStamp: newGuid(),
    ...values,
  });
}

/** An empty user group. */
export function createUserGroup(server: TestApp, values: Partial<UserGroup> & Pick<UserGroup, 'tenantId'>): Promise<UserGroup> {
  const id = newGuid();
  return insert(server, UserGroup, { id, name: `User group ${id}`, description: null, ...values });
}

/** Makes users members of a group. */
export async function addToUserGroup(server: TestApp, group: Pick<UserGroup, 'id'>, ...users: Pick<User, 'id'>[]): Promise<void> {
  await server.dataSource.manager.insert(
    UserGroupMember,
    users.map(({ id }) => ({ userGroupId: group.id, userId: id })),
  );
  forgetKept(server);
}

/** A customer of a tenant. */
export function createCustomer(server: TestApp, values: Partial<Customer> & Pick<Customer, 'tenantId'>): Promise<Customer> {
  const id = newGuid();
  return insert(server, Customer, { id, name: `Customer ${id}`, description: null, notes: null, ...values });
}

/** An offline device; `groups` are the device groups that it is a member of. */
export async function createDevice(
  server: TestApp,
  { groups = [], ...values }: Partial<Device> & Pick<Device, 'tenantId'> & { readonly groups?: readonly Pick<DeviceGroup, 'id'>[] },
): Promise<Device> {
  const id = newGuid();
  const device = await insert(server, Device, { id, name: `device-${id}`, ...values });
  const members = groups.map((group) => ({ deviceGroupId: group.id, deviceId: device.id }));
  if (members.length > 0) await server.dataSource.manager.insert(DeviceGroupMember, members);
  forgetKept(server);
  return device;
}

/** A device group; `devices` become its members. */
export async function createDeviceGroup(
  server: TestApp,
  { devices = [], ...values }: Partial<DeviceGroup> & Pick<DeviceGroup, 'tenantId'> & { readonly devices?: readonly Pick<Device, 'id'>[] },
): Promise<DeviceGroup> {
  const id = newGuid();
  const group = await insert(server, DeviceGroup, { id, name: `Device group ${id}`, description: null, ...values });
  const members = devices.map((device) => ({ deviceGroupId: group.id, deviceId: device.id }));
  if (members.length > 0) await server.dataSource.manager.insert(DeviceGroupMember, members);
  forgetKept(server);
  return group;
}

/** An enabled service account with one credential: of the tenant if one is named, otherwise a Restricted one of the server. */
export async function createServiceAccountWithKey(
  server: TestApp,
  values: Partial<ServiceAccount> = {},
  credentialValues: Partial<ServiceAccountCredential> = {},
): Promise<CallingServiceAccount> {
  const id = newGuid();
  const tenantId = values.tenantId ?? null;
  const account = await insert(server, ServiceAccount, {
    id,
    kind: tenantId === null ? ServiceAccountKind.Server : ServiceAccountKind.Tenant,
    tenantId,
    name: `Account ${id}`,
    description: null,
    isEnabled: true,
    accessMode: ServiceAccountAccessMode.Restricted,
    ...values,
  });
  const secret = newSecret();
  const credential = await insert(server, ServiceAccountCredential, {
    id: newGuid(),
    serviceAccountId: account.id,
    name: 'Credential',
    hashedSecret: hashSecret(secret),
    expiresAt: null,
    lastUsedAt: null,
    revokedAt: null,
    ...credentialValues,
  });
  const common = { id: account.id, name: account.name, credentialId: credential.id };
  return {
    account,
    credential,
    key: formatKey(credential.id, secret),
    principal:
      tenantId === null
        ? { type: 'ServerServiceAccount', ...common, accessMode: account.accessMode }
        : { type: 'TenantServiceAccount', ...common, tenantId },
  };
}

/** A personal access token of a user; by default Restricted and without permissions. */
export async function createPersonalAccessToken(
  server: TestApp,
  user: User,
  values: Partial<PersonalAccessToken> = {},
): Promise<CallingToken> {
  const id = newGuid();
  const secret = newSecret();
  const token = await insert(server, PersonalAccessToken, {
    id,
    userId: user.id,
    name: `Token ${id}`,
    hashedSecret: hashSecret(secret),
    permissionMode: PersonalAccessTokenPermissionMode.Restricted,
    expiresAt: null,
    revokedAt: null,
    lastUsed: null,
    createdByUserId: user.id,
    ...values,
  });
  return {
    token,
    key: formatKey(token.id, secret),
    principal: {
      type: 'User',
      id: user.id,
      tenantId: user.tenantId,
      name: user.userName,
      credential: { type: 'PersonalAccessToken', id: token.id, mode: token.permissionMode },
      mustChangePassword: false,
    },
  };
}

/** A logon token that signs a user in on one device. */
export function createLogonToken(
  server: TestApp,
  user: User,
  device: OwnedByTenant,
  values: Partial<LogonToken> = {},
): Promise<LogonToken> {
  return insert(server, LogonToken, {
    id: newGuid(),
    tenantId: device.tenantId,
    deviceId: device.id,
    userId: user.id,
    hashedSecret: hashSecret(newSecret()),
    expiresAt: new Date(server.clock.milliseconds() + 15 * 60_000),
    consumedAt: null,
    userCorrelationId: null,
    sessionCorrelationId: null,
    allowedDesktopSessionIds: null,
    ...values,
  });
}

/** The principal of a user's browser session. */
export function sessionOf(user: User): UserPrincipal {
  const credential = { type: 'Session', id: newGuid(), provenAt: 0 } as const;
  return { type: 'User', id: user.id, tenantId: user.tenantId, name: user.userName, credential, mustChangePassword: false };
}

/** Limits of a logon token on its session. */
export interface LogonSessionLimits {
  readonly id: string;
  readonly deviceId: string;
  readonly allowedDesktopSessionIds: readonly number[] | null;
}

/** The principal of a session that a logon token opened. */
export function logonSessionOf(user: User, token: LogonSessionLimits): UserPrincipal {
  const { id, deviceId, allowedDesktopSessionIds } = token;
  const correlation = { userCorrelationId: null, sessionCorrelationId: null, maker: null };
  const credential = { type: 'LogonToken', id, sessionId: newGuid(), deviceId, allowedDesktopSessionIds, ...correlation } as const;
  return { ...sessionOf(user), credential };
}

/** An enabled assignment; Allow by default. */
export async function grant(
  server: TestApp,
  assignment: {
    readonly principal: Holder;
    readonly permission: PermissionDefinition;
    readonly scope: Scope;
    readonly effect?: PermissionEffect;
    readonly isEnabled?: boolean;
  },
): Promise<PermissionAssignment> {
  const { principal, permission, scope, effect = PermissionEffect.Allow, isEnabled = true } = assignment;
  const row = await insert(server, PermissionAssignment, {
    id: newGuid(),
    principalKind: principal.kind,
    principalId: principal.id,
    permissionName: permission.name,
    effect,
    ...scope,
    isEnabled,
    notes: null,
    createdByPrincipalType: null,
    createdByPrincipalId: null,
  });
  forgetKept(server);
  return row;
}

/** Allows several permissions at one scope. */
export async function grantAll(
  server: TestApp,
  principal: Holder,
  permissions: readonly PermissionDefinition[],
  scope: Scope,
): Promise<PermissionAssignment[]> {
  const granted: PermissionAssignment[] = [];
  for (const permission of permissions) granted.push(await grant(server, { principal, permission, scope }));
  return granted;
}

async function insert<T extends object>(server: TestApp, entity: new () => T, values: DeepPartial<NoInfer<T>>): Promise<T> {
  const row = server.dataSource.manager.create(entity, values as DeepPartial<T>);
  // The insert fills in the defaults of the database.
  await server.dataSource.manager.insert(entity, row);
  return row;
}

/** Clears the caches. The triggers notify the application too, but only some time later. */
function forgetKept(server: TestApp): void {
  server.app.get(InvalidationBus).forgetAll();
}
