import { beforeEach, describe, expect, it } from 'vitest';

import { Permission } from '../../../src/access/authorization/permissions/permission.js';
import { PersonalAccessTokenPermissionMode } from '../../../src/people/personal-access-tokens/personal-access-token.entity.js';
import { newGuid } from '../../../src/platform/common/identifiers/guid.js';
import type { Tenant } from '../../../src/tenants/tenants/tenant.entity.js';
import type { ApiAnswer, ApiClient } from '../../support/application/api-client.js';
import { callingUser, userWithToken, type UserWithToken } from '../../support/callers/callers.js';
import {
  at,
  createDevice,
  createServiceAccountWithKey,
  createTenant,
  createUser,
  grantAll,
  holder,
} from '../../support/fixtures/factories.js';
import { testServer } from '../../support/setup/test-server.js';

/*
 * A caller with a credential that ends soon makes others that do not: tokens for itself, tokens for others, logon tokens. And a user who
 * is about to be denied everything leaves accounts, keys and grants behind; the administrator who denies it must be able to find them.
 */

const server = testServer();
const PERMISSIONS = [
  Permission.DeviceRead,
  Permission.DeviceLogonTokenCreate,
  Permission.PersonalAccessTokenSelfWrite,
  Permission.PersonalAccessTokenOthersWrite,
  Permission.TenantUsersWrite,
  Permission.ServiceAccountWrite,
  Permission.TenantPermissionsWrite,
  Permission.TenantPermissionsRead,
  Permission.InstallerKeyWrite,
];
const MINUTE_MS = 60_000;

let tenant: Tenant;
let expiresAt: Date;

beforeEach(async () => {
  tenant = await createTenant(server);
  expiresAt = new Date(server.clock.milliseconds() + 5 * MINUTE_MS);
});

const inTenant = (): { readonly query: { readonly tenantId: string } } => ({ query: { tenantId: tenant.id } });

/** A user that holds the permissions and calls with a token that ends in five minutes. */
const userWithShortToken = (): Promise<UserWithToken> => userWithToken(server, tenant, PERMISSIONS, { expiresAt });

/** An account of the tenant that holds the permissions and calls with a key that ends in five minutes. */
async function accountWithShortKey(): Promise<ApiClient> {
  const { account, key } = await createServiceAccountWithKey(server, { tenantId: tenant.id }, { expiresAt });
  await grantAll(server, holder.serviceAccount(account), PERMISSIONS, at.tenant(tenant));
  return server.client({ 'x-api-key': key });
}

const endOfToken = (answer: ApiAnswer): string | null =>
  answer.as<{ personalAccessToken: { expiresAt: string | null } }>().personalAccessToken.expiresAt;

describe('a credential that an expiring one has made', () => {
  it.each([
    ['that never expires', null],
    ['that expires later', 60 * MINUTE_MS],
  ])('expires with it: a token of its own user %s', async (_what, wanted) => {
    const { client } = await userWithShortToken();
    const asked = wanted === null ? null : new Date(server.clock.milliseconds() + wanted).toISOString();
    const made = await client.post('/api/v1/personal-access-tokens', { ...inTenant(), body: { name: newGuid(), expiresAt: asked } });
    expect(endOfToken(made)).toBe(expiresAt.toISOString());
  });

  it('may expire before it', async () => {
    const { client } = await userWithShortToken();
    const sooner = new Date(server.clock.milliseconds() + MINUTE_MS).toISOString();
    const made = await client.post('/api/v1/personal-access-tokens', { ...inTenant(), body: { name: newGuid(), expiresAt: sooner } });
    expect(endOfToken(made)).toBe(sooner);
  });

  it('expires with it: a token for another user, by a service account', async () => {
    const client = await accountWithShortKey();
    const other = await createUser(server, { tenantId: tenant.id });
    const made = await client.post(`/api/v1/users/${other.id}/personal-access-tokens`, { ...inTenant(), body: { name: newGuid() } });
    expect(endOfToken(made)).toBe(expiresAt.toISOString());
  });

  it('expires with it: a logon token', async () => {
    const client = await accountWithShortKey();
    const device = await createDevice(server, { tenantId: tenant.id });
    const other = await createUser(server, { tenantId: tenant.id });
    const body = { tenantId: tenant.id, deviceId: device.id, userId: other.id, expirationMinutes: 600, permissions: ['device.read'] };
    const made = await client.post('/api/v1/logon-tokens/user', { body });
    expect(made.as<{ expiresAt: string }>().expiresAt).toBe(expiresAt.toISOString());
  });

  it('does not expire where the credential does not', async () => {
    const { client } = await callingUser(server, tenant, PERMISSIONS);
    const made = await client.post('/api/v1/personal-access-tokens', {
      ...inTenant(),
      body: { name: newGuid(), permissionMode: PersonalAccessTokenPermissionMode.Restricted },
    });
    expect(endOfToken(made)).toBeNull();
  });
});

describe('everything that a principal has made', () => {
  it('is listed: accounts, tokens, installer keys and grants, but not what is gone, of others or of another tenant', async () => {
    const { user, client } = await callingUser(server, tenant, PERMISSIONS);
    const post = async (path: string, body: object): Promise<Record<string, string>> =>
      (await client.post(path, { ...inTenant(), body })).as();
    const made = await post('/api/v1/users', { userName: `${newGuid()}@example.org`, email: null, password: null, presetNames: [] });
    const account = await post(`/api/v1/tenant-service-accounts/${tenant.id}`, { name: newGuid() });
    const key = await post('/api/v1/installer-keys', { tenantId: tenant.id, keyType: 'Persistent', friendlyName: 'Field' });
    const assignment = await post('/api/v1/permission-assignments', {
      principalKind: 'User',
      principalId: made.id,
      permissionName: 'device.read',
      effect: 'Allow',
      scopeKind: 'Tenant',
    });
    const token = (await post('/api/v1/personal-access-tokens', { name: 'Left' })) as unknown as { personalAccessToken: { id: string } };
    const gone = await post('/api/v1/users', { userName: `${newGuid()}@example.org`, email: null, password: null, presetNames: [] });
    await server.client().delete(`/api/v1/users/${gone.id}`, inTenant());
    await createUser(server, { tenantId: tenant.id });

    const list = async (principalId: string): Promise<{ kind: string; id: string; holderId: string | null }[]> =>
      (await client.get('/api/v1/permission-assignments/made', { query: { tenantId: tenant.id, principalId } })).as<{ items: [] }>().items;
    const found = (await list(user.id)).map(({ kind, id, holderId }) => [kind, id, holderId]);
    expect(found).toHaveLength(5);
    expect(found).toEqual(
      expect.arrayContaining([
        ['User', made.id, null],
        ['ServiceAccount', account.id, null],
        ['InstallerKey', key.id, null],
        ['PermissionAssignment', assignment.id, made.id],
        ['PersonalAccessToken', token.personalAccessToken.id, user.id],
      ]),
    );
    expect(await list(newGuid())).toEqual([]);
  });
});
