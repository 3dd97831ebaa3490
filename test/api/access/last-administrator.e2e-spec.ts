import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { hash } from '@node-rs/argon2';

import { Permission, PermissionEffect } from '../../../src/access/authorization/permissions/permission.js';
import { PermissionAssignment } from '../../../src/access/permission-assignments/permission-assignment.entity.js';
import type { InviteResponseDto } from '../../../src/people/invites/invite.dto.js';
import { ExternalLogin } from '../../../src/people/external-sign-in/external-login.entity.js';
import { Invite } from '../../../src/people/invites/invite.entity.js';
import { Passkey, PasskeyDeviceType } from '../../../src/people/passkeys/passkey.entity.js';
import { PersonalAccessTokenPermissionMode } from '../../../src/people/personal-access-tokens/personal-access-token.entity.js';
import { ServiceAccount } from '../../../src/people/service-accounts/service-account.entity.js';
import type { UserGroup } from '../../../src/people/user-groups/user-group.entity.js';
import { User, UserAccountType } from '../../../src/people/users/user.entity.js';
import { newGuid } from '../../../src/platform/common/identifiers/guid.js';
import type { Tenant } from '../../../src/tenants/tenants/tenant.entity.js';
import type { ApiAnswer, ApiClient } from '../../support/application/api-client.js';
import { TestApp } from '../../support/application/app.js';
import { callingUser, clientOf, detailOf, statusesOf } from '../../support/callers/callers.js';
import {
  addToUserGroup,
  at,
  createPersonalAccessToken,
  createServiceAccountWithKey,
  createTenant,
  createUser,
  createUserGroup,
  grant,
  grantAll,
  holder,
  type CallingServiceAccount,
  type Holder,
} from '../../support/fixtures/factories.js';
import { testServer } from '../../support/setup/test-server.js';

/*
 * The last principal that can administer a tenant, or the server, cannot be removed by anybody. Most tests act as the
 * Unrestricted account of the server, which counts for the server but not for a tenant.
 */

const ASSIGNMENTS = '/api/v1/permission-assignments';
const TENANT_SENTENCE =
  'This would leave the tenant without an administrator. Make someone else a tenant administrator first: the permission is tenant.permissions.write.';
const SERVER_SENTENCE =
  'This would leave the server without an administrator. Make someone else a server administrator first: the permission is server.permissions.write.';

const server = testServer();
let tenant: Tenant;
let passwordHash: string;

beforeAll(async () => {
  passwordHash = await hash('Correct horse 1');
});

beforeEach(async () => {
  tenant = await createTenant(server);
});

const named = (): { readonly tenantId: string } => ({ tenantId: tenant.id });
const root = (): ReturnType<TestApp['client']> => server.client();

function administers(principal: Holder, more: object = {}): Promise<PermissionAssignment> {
  return grant(server, { principal, permission: Permission.TenantPermissionsWrite, scope: at.tenant(tenant), ...more });
}

/** A user that can sign in and administers the tenant by its own assignment. */
async function administrator(): Promise<{ readonly user: User; readonly row: PermissionAssignment }> {
  const user = await createUser(server, { tenantId: tenant.id, passwordHash });
  return { user, row: await administers(holder.user(user)) };
}

/** A user that can sign in and administers the tenant through a group. */
async function administratorByGroup(): Promise<{ readonly user: User; readonly group: UserGroup; readonly row: PermissionAssignment }> {
  const user = await createUser(server, { tenantId: tenant.id, passwordHash });
  const group = await createUserGroup(server, { tenantId: tenant.id });
  await addToUserGroup(server, group, user);
  return { user, group, row: await administers(holder.userGroup(group)) };
}

function account(values: object = {}): Promise<CallingServiceAccount> {
  return createServiceAccountWithKey(server, { tenantId: tenant.id, ...values });
}

const remove = (path: string): Promise<ApiAnswer> => root().delete(path, { query: named() });

function change(row: PermissionAssignment, values: object): Promise<ApiAnswer> {
  const { permissionName, effect, scopeKind } = row;
  return root().put(`${ASSIGNMENTS}/${row.id}`, {
    query: named(),
    body: { permissionName, effect, scopeKind, isEnabled: true, ...values },
  });
}

function deny({ kind, id }: Holder, more: object = {}): object {
  const permissionName = Permission.TenantPermissionsWrite.name;
  return { principalKind: kind, principalId: id, permissionName, effect: 'Deny', scopeKind: 'Tenant', ...more };
}

const post = (path: string, body: object): Promise<ApiAnswer> => root().post(path, { query: named(), body });

async function disable({ account: { id, name, tenantId } }: CallingServiceAccount): Promise<ApiAnswer> {
  const path = tenantId === null ? `/api/v1/server-service-accounts/${id}` : `/api/v1/tenant-service-accounts/${tenantId}/${id}`;
  return root().put(path, { body: { name, isEnabled: false } });
}

function removeAccount({ account: { id, tenantId } }: CallingServiceAccount): Promise<ApiAnswer> {
  return root().delete(tenantId === null ? `/api/v1/server-service-accounts/${id}` : `/api/v1/tenant-service-accounts/${tenantId}/${id}`);
}

/** An action that can remove an administrator of the tenant. Creates one and returns the call that removes it. */
type Path = readonly [what: string, prepare: () => Promise<() => Promise<ApiAnswer>>];

const PATHS: readonly Path[] = [
  [
    'suspending the user',
    async () => {
      const { user } = await administrator();
      return () => root().put(`/account/users/${user.id}/suspension`, { query: named() });
    },
  ],
  [
    'deleting the assignment',
    async () => {
      const { row } = await administrator();
      return () => remove(`${ASSIGNMENTS}/${row.id}`);
    },
  ],
  [
    'deleting the assignment with others',
    async () => {
      const { row } = await administrator();
      return () => post(`${ASSIGNMENTS}/batch-delete`, { assignmentIds: [row.id] });
    },
  ],
  [
    'disabling the assignment',
    async () => {
      const { row } = await administrator();
      return () => change(row, { isEnabled: false });
    },
  ],
  [
    'turning the assignment into a Deny',
    async () => {
      const { row } = await administrator();
      return () => change(row, { effect: 'Deny' });
    },
  ],
  [
    'turning the assignment into one of another permission',
    async () => {
      const { row } = await administrator();
      return () => change(row, { permissionName: 'tenant.read' });
    },
  ],
  [
    'denying it in the tenant',
    async () => {
      const { user } = await administrator();
      return () => post(ASSIGNMENTS, deny(holder.user(user)));
    },
  ],
  [
    'denying it among others',
    async () => {
      const { user } = await administrator();
      return () => post(`${ASSIGNMENTS}/batch`, { assignments: [deny(holder.user(user))] });
    },
  ],
  [
    'denying it at a user group',
    async () => {
      const { user } = await administrator();
      const group = await createUserGroup(server, { tenantId: tenant.id });
      await addToUserGroup(server, group, user);
      return () => post(ASSIGNMENTS, deny(holder.userGroup(group)));
    },
  ],
  [
    'replacing the assignments',
    async () => {
      const { user } = await administrator();
      const reference = { principalKind: 'User', principalId: user.id };
      const assignments = [{ ...reference, permissionName: 'tenant.read', effect: 'Allow', scopeKind: 'Tenant' }];
      return () => post(`${ASSIGNMENTS}/replace`, { ...reference, assignments });
    },
  ],
  [
    'replacing the assignments by presets',
    async () => {
      const { user } = await administrator();
      const body = { principalKind: 'User', principalId: user.id, presetNames: ['Self Service'], replaceExisting: true };
      return () => post(`${ASSIGNMENTS}/presets/apply`, body);
    },
  ],
  [
    'deleting the assignment of the group',
    async () => {
      const { row } = await administratorByGroup();
      return () => remove(`${ASSIGNMENTS}/${row.id}`);
    },
  ],
  [
    'deleting the group',
    async () => {
      const { group } = await administratorByGroup();
      return () => remove(`/api/v1/user-groups/${group.id}`);
    },
  ],
  [
    'removing the member',
    async () => {
      const { group, user } = await administratorByGroup();
      return () => root().delete(`/api/v1/user-groups/${group.id}/members`, { query: named(), body: { userIds: [user.id] } });
    },
  ],
  [
    'adding the user to a group that denies it',
    async () => {
      const { user } = await administrator();
      const group = await createUserGroup(server, { tenantId: tenant.id });
      await administers(holder.userGroup(group), { effect: PermissionEffect.Deny });
      return () => post(`/api/v1/user-groups/${group.id}/members`, { userIds: [user.id] });
    },
  ],
  [
    'deleting the user',
    async () => {
      const { user } = await administrator();
      return () => remove(`/api/v1/users/${user.id}`);
    },
  ],
  [
    'withdrawing the invite of an account that works by a token already',
    async () => {
      const body = { inviteeEmail: `invitee-${newGuid()}@example.org` };
      const { id } = (await post('/api/v1/invites', body)).as<InviteResponseDto>();
      const { userId } = await server.dataSource.manager.findOneByOrFail(Invite, { id });
      const user = await server.dataSource.manager.findOneByOrFail(User, { id: userId });
      await clientOf(server, user);
      await administers(holder.user(user));
      return () => remove(`/api/v1/invites/${id}`);
    },
  ],
  [
    'disabling the service account',
    async () => {
      const calling = await account();
      await administers(holder.serviceAccount(calling.account));
      return () => disable(calling);
    },
  ],
  [
    'deleting the service account',
    async () => {
      const calling = await account();
      await administers(holder.serviceAccount(calling.account));
      return () => removeAccount(calling);
    },
  ],
  [
    'disabling the service account of the server',
    async () => {
      const calling = await createServiceAccountWithKey(server);
      await administers(holder.serviceAccount(calling.account));
      return () => disable(calling);
    },
  ],
  [
    'deleting the service account of the server',
    async () => {
      const calling = await createServiceAccountWithKey(server);
      await administers(holder.serviceAccount(calling.account));
      return () => removeAccount(calling);
    },
  ],
];

/** The rows that determine who administers the tenant: assignments, memberships and accounts. */
async function state(): Promise<unknown> {
  return server.dataSource.query(
    `SELECT (SELECT json_agg(a ORDER BY a.id) FROM permission_assignments a WHERE a.owning_tenant_id = $1 OR a.owning_tenant_id IS NULL) AS rows,
            (SELECT json_agg(m ORDER BY m.user_group_id, m.user_id) FROM user_group_members m) AS members,
            (SELECT json_agg(u.id ORDER BY u.id) FROM users u) AS users,
            (SELECT json_agg(s ORDER BY s.id) FROM service_accounts s) AS accounts`,
    [tenant.id],
  );
}

describe.each(PATHS)('%s', (_what, prepare) => {
  it('is refused for the last administrator of a tenant, and changes nothing', async () => {
    const takeAway = await prepare();
    const before = await state();
    const answer = await takeAway();
    expect([answer.status, detailOf(answer)]).toEqual([400, TENANT_SENTENCE]);
    expect(await state()).toEqual(before);
  });

  it('is allowed when there is another administrator', async () => {
    const takeAway = await prepare();
    await administrator();
    expect((await takeAway()).status).toBeLessThan(300);
  });
});

describe('an administrator who remains is not', () => {
  const HOUR_MS = 3_600_000;
  it.each<[string, () => Promise<unknown>]>([
    ['a user that cannot sign in', async () => administers(holder.user(await createUser(server, { tenantId: tenant.id })))],
    [
      'a user with nothing but a Restricted token',
      async () => {
        const user = await createUser(server, { tenantId: tenant.id });
        await createPersonalAccessToken(server, user);
        await administers(holder.user(user));
      },
    ],
    [
      'a user with nothing but a login of a provider that is not configured any more',
      async () => {
        const user = await createUser(server, { tenantId: tenant.id });
        const login = { id: newGuid(), userId: user.id, provider: 'former', issuer: 'https://id.example', subject: user.id };
        await server.dataSource.manager.insert(ExternalLogin, { ...login, displayName: null, email: null, lastUsedAt: null });
        await administers(holder.user(user));
      },
    ],
    [
      'an external user',
      async () => {
        const values = { tenantId: tenant.id, passwordHash, accountType: UserAccountType.ExternalUser };
        await administers(holder.user(await createUser(server, values)));
      },
    ],
    [
      'a user that is denied it',
      async () => {
        const { user } = await administrator();
        await administers(holder.user(user), { effect: PermissionEffect.Deny });
      },
    ],
    [
      'a user that is denied it at the server',
      async () => {
        const { user } = await administrator();
        const denied = { permission: Permission.TenantPermissionsWrite, scope: at.server, effect: PermissionEffect.Deny };
        await grant(server, { principal: holder.user(user), ...denied });
      },
    ],
    [
      'a user with a disabled row',
      async () => administers(holder.user(await createUser(server, { tenantId: tenant.id, passwordHash })), { isEnabled: false }),
    ],
    ['a disabled account', async () => administers(holder.serviceAccount((await account({ isEnabled: false })).account))],
    [
      'an account whose only credential has expired',
      async () => {
        const expiresAt = new Date(server.clock.milliseconds() - HOUR_MS);
        const { account: expired } = await createServiceAccountWithKey(server, { tenantId: tenant.id }, { expiresAt });
        await administers(holder.serviceAccount(expired));
      },
    ],
    [
      'an account whose only credential is revoked',
      async () => {
        const revokedAt = new Date(server.clock.milliseconds() - HOUR_MS);
        const { account: revoked } = await createServiceAccountWithKey(server, { tenantId: tenant.id }, { revokedAt });
        await administers(holder.serviceAccount(revoked));
      },
    ],
    ['an empty group', async () => administers(holder.userGroup(await createUserGroup(server, { tenantId: tenant.id })))],
  ])('%s', async (_what, prepare) => {
    const { row } = await administrator();
    await prepare();
    const answer = await remove(`${ASSIGNMENTS}/${row.id}`);
    expect([answer.status, detailOf(answer)]).toEqual([400, TENANT_SENTENCE]);
  });
});

describe('on a server without a domain name, where addresses have to be confirmed', () => {
  const strict = testServer({
    Service_AppOptions__PublicUrl: 'http://192.0.2.1',
    Service_AppOptions__RequireUserEmailConfirmation: 'true',
  });

  /** Creates an administrator of the tenant, and returns the user and the call that takes the permission away. */
  async function administratorOf(
    { id: tenantId }: Tenant,
    values: Partial<User>,
  ): Promise<{ user: User; takeAway: () => Promise<ApiAnswer> }> {
    const user = await createUser(strict, { tenantId, ...values });
    const scope = at.tenant({ id: tenantId });
    const row = await grant(strict, { principal: holder.user(user), permission: Permission.TenantPermissionsWrite, scope });
    return { user, takeAway: () => strict.client().delete(`${ASSIGNMENTS}/${row.id}`, { query: { tenantId } }) };
  }

  it('an administrator who remains is neither one with passkeys alone nor one with an unconfirmed address', async () => {
    const home = await createTenant(strict);
    const { user } = await administratorOf(home, { passwordHash: null });
    const passkey = { id: newGuid(), userId: user.id, name: 'Laptop', credentialId: Buffer.from(user.id), publicKey: Buffer.from('a key') };
    const more = { counter: '0', transports: [], deviceType: PasskeyDeviceType.SingleDevice, isBackedUp: false, lastUsedAt: null };
    await strict.dataSource.manager.insert(Passkey, { ...passkey, ...more });
    const unconfirmed = await administratorOf(home, { passwordHash, emailConfirmed: false });
    const { takeAway } = await administratorOf(home, { passwordHash });
    const answer = await takeAway();
    expect([answer.status, detailOf(answer)]).toEqual([400, TENANT_SENTENCE]);
    // A token needs no confirmed address.
    await createPersonalAccessToken(strict, unconfirmed.user, { permissionMode: PersonalAccessTokenPermissionMode.InheritOwner });
    expect((await takeAway()).status).toBe(204);
  });
});

describe('the protection of the last administrator does not cover', () => {
  it('changes in a tenant that already has no administrator', async () => {
    const user = await createUser(server, { tenantId: tenant.id });
    const row = await administers(holder.user(user));
    expect((await remove(`${ASSIGNMENTS}/${row.id}`)).status).toBe(204);
    expect((await remove(`/api/v1/users/${user.id}`)).status).toBe(204);
  });

  it('the deletion of a tenant', async () => {
    await administrator();
    expect((await root().delete(`/api/v1/tenants/${tenant.id}`)).status).toBe(204);
  });

  it('revoking the last credential of the last administrator, because a leaked one must always be revocable', async () => {
    const { account: only, credential } = await account();
    await administers(holder.serviceAccount(only));
    const path = `/api/v1/tenant-service-accounts/${tenant.id}/${only.id}/credentials/${credential.id}`;
    expect((await root().delete(path)).status).toBe(204);
    expect((await root().delete(`${path}/purge`)).status).toBe(204);
  });

  it('deleting the last token of the last administrator', async () => {
    const user = await createUser(server, { tenantId: tenant.id });
    const { token } = await createPersonalAccessToken(server, user, {});
    await administers(holder.user(user));
    expect((await remove(`/api/v1/users/${user.id}/personal-access-tokens/${token.id}`)).status).toBe(204);
  });
});

describe('removing two administrators at the same time', () => {
  it('leaves one, whatever the actions', async () => {
    for (let round = 0; round < 5; round += 1) {
      tenant = await createTenant(server);
      const [direct, grouped, calling] = [await administrator(), await administratorByGroup(), await account()];
      await administers(holder.serviceAccount(calling.account));
      const answers = await Promise.all([
        remove(`${ASSIGNMENTS}/${direct.row.id}`),
        remove(`/api/v1/user-groups/${grouped.group.id}`),
        disable(calling),
      ]);
      expect(answers.filter(({ status }) => status < 300)).toHaveLength(2);
      expect(answers.find(({ status }) => status === 400)?.body).toMatchObject({ detail: TENANT_SENTENCE });
    }
  });

  it('leaves one when each removes the other', async () => {
    const [a, b] = [await administrator(), await administrator()];
    const [asA, asB] = [await clientOf(server, a.user), await clientOf(server, b.user)];
    const answers = await Promise.all([
      asA.delete(`${ASSIGNMENTS}/${b.row.id}`, { query: named() }),
      asB.delete(`${ASSIGNMENTS}/${a.row.id}`, { query: named() }),
    ]);
    expect(statusesOf(answers)[0]).toBe(204);
    expect([400, 403]).toContain(statusesOf(answers)[1]);
    expect(await server.dataSource.manager.countBy(PermissionAssignment, { owningTenantId: tenant.id })).toBe(1);
  });
});

describe('the last administrator of the server', () => {
  const ACCOUNTS = '/api/v1/server-service-accounts';
  let own: TestApp;
  let keeper: ApiClient;

  beforeEach(async () => {
    own = await TestApp.start();
    const { account: keeping, key } = await createServiceAccountWithKey(own);
    await grantAll(
      own,
      holder.serviceAccount(keeping),
      [Permission.ServerServiceAccountsWrite, Permission.ServerServiceAccountsRead],
      at.server,
    );
    keeper = own.client({ 'x-api-key': key });
  });

  afterEach(() => own.stop());

  /** A new Restricted account that holds server.permissions.write. */
  async function restrictedAdministrator(): Promise<ServiceAccount> {
    const { account: created } = await createServiceAccountWithKey(own);
    await grant(own, { principal: holder.serviceAccount(created), permission: Permission.ServerPermissionsWrite, scope: at.server });
    return created;
  }

  function unrestricted(): Promise<ServiceAccount> {
    return own.dataSource.manager.findOneByOrFail(ServiceAccount, { name: 'root' });
  }

  const disableAccount = ({ id, name }: ServiceAccount): Promise<ApiAnswer> =>
    keeper.put(`${ACCOUNTS}/${id}`, { body: { name, isEnabled: false } });
  const deleteAccount = ({ id }: ServiceAccount): Promise<ApiAnswer> => keeper.delete(`${ACCOUNTS}/${id}`);

  function expectRefused(...answers: readonly ApiAnswer[]): void {
    expect(answers.map((answer) => [answer.status, detailOf(answer)])).toEqual(answers.map(() => [400, SERVER_SENTENCE]));
  }

  it('can be an Unrestricted account', async () => {
    const first = await unrestricted();
    expectRefused(await disableAccount(first), await deleteAccount(first));
    await restrictedAdministrator();
    expect((await deleteAccount(first)).status).toBe(204);
  });

  it('can be a Restricted account that holds server.permissions.write', async () => {
    const only = await restrictedAdministrator();
    expect((await disableAccount(await unrestricted())).status).toBe(200);
    expectRefused(await disableAccount(only), await deleteAccount(only));
  });

  it('can be a user, directly or through a group', async () => {
    const home = await createTenant(own);
    const user = await createUser(own, { tenantId: home.id, passwordHash });
    const group = await createUserGroup(own, { tenantId: home.id });
    await addToUserGroup(own, group, user);
    await grant(own, { principal: holder.userGroup(group), permission: Permission.ServerPermissionsWrite, scope: at.server });
    expect((await deleteAccount(await unrestricted())).status).toBe(204);
    const held = [Permission.TenantUsersDelete, Permission.TenantUserGroupsWrite, Permission.UserGroupAssignUsers];
    const { client } = await callingUser(own, home, held);
    const query = { tenantId: home.id };
    expectRefused(
      await client.delete(`/api/v1/users/${user.id}`, { query }),
      await client.delete(`/api/v1/user-groups/${group.id}`, { query }),
      await client.delete(`/api/v1/user-groups/${group.id}/members`, { query, body: { userIds: [user.id] } }),
    );
    await restrictedAdministrator();
    expect((await client.delete(`/api/v1/users/${user.id}`, { query })).status).toBe(204);
  });

  it('is not a user of a tenant that is being deleted', async () => {
    const home = await createTenant(own, { deletedAt: own.clock.now() });
    const user = await createUser(own, { tenantId: home.id, passwordHash });
    await grant(own, { principal: holder.user(user), permission: Permission.ServerPermissionsWrite, scope: at.server });
    expectRefused(await deleteAccount(await unrestricted()));
  });

  it('stays when several are removed at the same time', async () => {
    const all = [await unrestricted(), await restrictedAdministrator(), await restrictedAdministrator()];
    expect(statusesOf(await Promise.all(all.map(deleteAccount)))).toEqual([204, 204, 400]);
  });
});
