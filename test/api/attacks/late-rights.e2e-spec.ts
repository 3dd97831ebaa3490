import { beforeEach, describe, expect, it } from 'vitest';

import { Permission } from '../../../src/access/authorization/permissions/permission.js';
import { PermissionAssignment } from '../../../src/access/permission-assignments/permission-assignment.entity.js';
import { PersonalAccessToken } from '../../../src/people/personal-access-tokens/personal-access-token.entity.js';
import { ServiceAccount, ServiceAccountAccessMode } from '../../../src/people/service-accounts/service-account.entity.js';
import { UserGroupMember, type UserGroup } from '../../../src/people/user-groups/user-group.entity.js';
import type { User } from '../../../src/people/users/user.entity.js';
import { newGuid } from '../../../src/platform/common/identifiers/guid.js';
import type { Tenant } from '../../../src/tenants/tenants/tenant.entity.js';
import type { ApiAnswer, ApiClient } from '../../support/application/api-client.js';
import { callingUser, detailOf, type CallingUser } from '../../support/callers/callers.js';
import { whileWaiting } from '../../support/callers/while-waiting.js';
import {
  at,
  createServiceAccountWithKey,
  createTenant,
  createUser,
  createUserGroup,
  grant,
  holder,
} from '../../support/fixtures/factories.js';
import { testServer } from '../../support/setup/test-server.js';

/*
 * An administrator sends a change and loses the right to make it while the change waits for a lock: its assignment is deleted, its
 * account or token goes, or an administrator lays a Deny on it. The test holds the lock, takes the right away and lets go. The change must
 * be refused, whatever the guard had seen before, and must leave nothing behind.
 */

const server = testServer();
let tenant: Tenant;
let caller: CallingUser;
let target: User;
let group: UserGroup;

const inTenant = (): { readonly query: { readonly tenantId: string } } => ({ query: { tenantId: tenant.id } });

beforeEach(async () => {
  tenant = await createTenant(server);
  const permissions = [
    Permission.TenantPermissionsWrite,
    Permission.TenantUsersWrite,
    Permission.TenantUserGroupsWrite,
    Permission.UserGroupAssignUsers,
    Permission.PersonalAccessTokenOthersWrite,
    Permission.TenantTagsWrite,
  ];
  caller = await callingUser(server, tenant, permissions);
  // Another administrator, so that no change is refused for taking the last one away.
  await callingUser(server, tenant, [Permission.TenantPermissionsWrite]);
  target = await createUser(server, { tenantId: tenant.id });
  group = await createUserGroup(server, { tenantId: tenant.id });
});

interface Attempt {
  readonly what: string;
  readonly permission: string;
  readonly lock: () => string;
  readonly call: (client: ApiClient) => Promise<ApiAnswer>;
  readonly isDone: () => Promise<boolean>;
}

const ATTEMPTS: readonly Attempt[] = [
  {
    what: 'a grant',
    permission: 'tenant.permissions.write',
    lock: () => `SELECT 1 FROM tenants WHERE id = '${tenant.id}' FOR UPDATE`,
    call: (client) =>
      client.post('/api/v1/permission-assignments', {
        ...inTenant(),
        body: {
          principalKind: 'User',
          principalId: target.id,
          permissionName: 'tenant.permissions.write',
          effect: 'Allow',
          scopeKind: 'Tenant',
        },
      }),
    isDone: () => server.dataSource.manager.existsBy(PermissionAssignment, { principalId: target.id }),
  },
  {
    what: 'a new member of a group',
    permission: 'user-group.assign-users',
    lock: () => `SELECT 1 FROM user_groups WHERE id = '${group.id}' FOR UPDATE`,
    call: (client) => client.post(`/api/v1/user-groups/${group.id}/members`, { ...inTenant(), body: { userIds: [target.id] } }),
    isDone: () => server.dataSource.manager.existsBy(UserGroupMember, { userGroupId: group.id }),
  },
  {
    what: 'a token for another user',
    permission: 'personal-access-token.others.write',
    lock: () => `SELECT 1 FROM users WHERE id = '${target.id}' FOR UPDATE`,
    call: (client) => client.post(`/api/v1/users/${target.id}/personal-access-tokens`, { ...inTenant(), body: { name: newGuid() } }),
    isDone: () => server.dataSource.manager.existsBy(PersonalAccessToken, { userId: target.id }),
  },
];

describe.each(ATTEMPTS)('$what that waits', ({ permission, lock, call, isDone }) => {
  const run = (meanwhile: () => Promise<unknown>): Promise<ApiAnswer> => whileWaiting(server, lock(), () => call(caller.client), meanwhile);

  it('is done when nothing changes', async () => {
    expect((await run(() => Promise.resolve())).status).toBeLessThan(300);
    expect(await isDone()).toBe(true);
  });

  it('is refused when the assignment that allows it goes', async () => {
    const answer = await run(() =>
      server.dataSource.manager.delete(PermissionAssignment, { principalId: caller.user.id, permissionName: permission }),
    );
    expect([answer.status, detailOf(answer)]).toEqual([403, `The permission ${permission} is required.`]);
    expect(await isDone()).toBe(false);
  });

  it('is refused when the token ends', async () => {
    const answer = await run(() =>
      server.dataSource.manager.update(PersonalAccessToken, { userId: caller.user.id }, { revokedAt: server.clock.now() }),
    );
    expect(answer.status).toBe(401);
    expect(await isDone()).toBe(false);
  });

  it('is refused when an administrator resets the password of the user', async () => {
    const answer = await run(() => server.client().post(`/api/v1/users/${caller.user.id}/reset-password`, inTenant()));
    expect(answer.status).toBe(401);
    expect(await isDone()).toBe(false);
  });
});

describe('a change by an Unrestricted account that waits', () => {
  it('is refused when the account is disabled', async () => {
    const { account, key } = await createServiceAccountWithKey(server, { accessMode: ServiceAccountAccessMode.Unrestricted });
    const { call, lock, isDone } = ATTEMPTS[0];
    const answer = await whileWaiting(
      server,
      lock(),
      () => call(server.client({ 'x-api-key': key })),
      () => server.dataSource.manager.update(ServiceAccount, { id: account.id }, { isEnabled: false }),
    );
    expect(answer.status).toBe(401);
    expect(await isDone()).toBe(false);
  });
});

describe('a change that takes away the right that it relies on', () => {
  it('is done: leaving the group that gave it', async () => {
    const leaving = await callingUser(server, tenant, []);
    await server.dataSource.manager.insert(UserGroupMember, { userGroupId: group.id, userId: leaving.user.id });
    await grant(server, { principal: holder.userGroup(group), permission: Permission.UserGroupAssignUsers, scope: at.tenant(tenant) });
    const leave = (): Promise<ApiAnswer> =>
      leaving.client.call('DELETE', `/api/v1/user-groups/${group.id}/members`, { ...inTenant(), body: { userIds: [leaving.user.id] } });
    expect((await leave()).status).toBe(204);
    expect(await server.dataSource.manager.existsBy(UserGroupMember, { userGroupId: group.id })).toBe(false);
    expect((await leave()).status).toBe(403);
  });
});
