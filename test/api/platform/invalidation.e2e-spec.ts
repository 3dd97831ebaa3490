import { beforeAll, describe, expect, it } from 'vitest';
import { Client } from 'pg';

import { Permission, PermissionEffect } from '../../../src/access/authorization/permissions/permission.js';
import { PersonalAccessTokenPermissionMode } from '../../../src/people/personal-access-tokens/personal-access-token.entity.js';
import { InvalidationBus } from '../../../src/platform/database/invalidation/invalidation-bus.js';
import { callingUser } from '../../support/callers/callers.js';
import { eventually } from '../../support/eventually.js';
import {
  addToUserGroup,
  at,
  createCustomer,
  createDevice,
  createDeviceGroup,
  createPersonalAccessToken,
  createServiceAccountWithKey,
  createTenant,
  createUser,
  createUserGroup,
  grant,
  holder,
} from '../../support/fixtures/factories.js';
import { testServer, testTenant } from '../../support/setup/test-server.js';

const ROUTE = '/api/v1/tenants';

const server = testServer();
const tenant = testTenant(server);
/** Acts as another node: a connection that writes. */
let otherNode: Client;

beforeAll(async () => {
  otherNode = new Client(server.database.connection);
  await otherNode.connect();
  server.alsoStop({ stop: () => otherNode.end() });
});

/** A caller of {@link ROUTE} whose credential and rules are cached by the node, with everything that can be taken from it. */
interface Caller {
  readonly status: () => Promise<number>;
  readonly ids: { readonly credential: string; readonly principal: string; readonly assignment: string; readonly group: string };
}

async function apiKeyCaller(): Promise<Caller> {
  const { account, credential, key } = await createServiceAccountWithKey(server);
  const row = await grant(server, {
    principal: holder.serviceAccount(account),
    permission: Permission.ServerTenantsRead,
    scope: at.server,
  });
  // A second assignment, so that the account keeps one.
  await grant(server, { principal: holder.serviceAccount(account), permission: Permission.ServerTelemetryRead, scope: at.server });
  return calling({ 'x-api-key': key }, { credential: credential.id, principal: account.id, assignment: row.id, group: '' });
}

async function tokenCaller(): Promise<Caller> {
  const user = await createUser(server, { tenantId: tenant.id });
  const group = await createUserGroup(server, { tenantId: tenant.id });
  await addToUserGroup(server, group, user);
  const row = await grant(server, { principal: holder.userGroup(group), permission: Permission.ServerTenantsRead, scope: at.server });
  const { token, key } = await createPersonalAccessToken(server, user, { permissionMode: PersonalAccessTokenPermissionMode.InheritOwner });
  return calling({ 'x-personal-token': key }, { credential: token.id, principal: user.id, assignment: row.id, group: group.id });
}

async function calling(headers: Record<string, string>, ids: Caller['ids']): Promise<Caller> {
  const status = async (): Promise<number> => (await server.client(headers).get(ROUTE)).status;
  expect(await status()).toBe(200);
  return { status, ids };
}

describe('a write through the API takes effect with the next request:', () => {
  const root = () => server.client();
  const accounts = '/api/v1/server-service-accounts';

  it('revoking a credential', async () => {
    const { status, ids } = await apiKeyCaller();
    expect((await root().delete(`${accounts}/${ids.principal}/credentials/${ids.credential}`)).status).toBe(204);
    expect(await status()).toBe(401);
  });

  it('disabling an account, and enabling it again', async () => {
    const { status, ids } = await apiKeyCaller();
    for (const [isEnabled, expected] of [
      [false, 401],
      [true, 200],
    ] as const) {
      await root().put(`${accounts}/${ids.principal}`, { body: { name: ids.principal, isEnabled } });
      expect(await status()).toBe(expected);
    }
  });

  it('deleting an account', async () => {
    const { status, ids } = await apiKeyCaller();
    expect((await root().delete(`${accounts}/${ids.principal}`)).status).toBe(204);
    expect(await status()).toBe(401);
  });

  it.each([
    ['an account', apiKeyCaller],
    ['a user through its group', tokenCaller],
  ])('acts on the next request: disabling, enabling, denying and deleting an assignment of %s', async (_who, create) => {
    const { status, ids } = await create();
    const path = `/api/v1/permission-assignments/${ids.assignment}`;
    const query = { tenantId: tenant.id };
    const values = { permissionName: 'server.tenants.read', effect: 'Allow', scopeKind: 'Server' };
    for (const [change, expected] of [
      [{ isEnabled: false }, 403],
      [{ isEnabled: true }, 200],
      [{ isEnabled: true, effect: 'Deny' }, 403],
      [{ isEnabled: true }, 200],
    ] as const) {
      expect((await root().put(path, { query, body: { ...values, ...change } })).status).toBe(200);
      expect(await status()).toBe(expected);
    }
    expect((await root().delete(path, { query })).status).toBe(204);
    expect(await status()).toBe(403);
  });
});

describe('a write of another node is noticed:', () => {
  const cases: readonly (readonly [string, () => Promise<Caller>, string, keyof Caller['ids'], number])[] = [
    ['revoking a credential', apiKeyCaller, 'UPDATE service_account_credentials SET revoked_at = now() WHERE id = $1', 'credential', 401],
    [
      'expiring a credential',
      apiKeyCaller,
      `UPDATE service_account_credentials SET expires_at = '2001-01-01' WHERE id = $1`,
      'credential',
      401,
    ],
    ['purging a credential', apiKeyCaller, 'DELETE FROM service_account_credentials WHERE id = $1', 'credential', 401],
    ['changing a secret', apiKeyCaller, `UPDATE service_account_credentials SET hashed_secret = '\\x00' WHERE id = $1`, 'credential', 401],
    ['disabling an account', apiKeyCaller, 'UPDATE service_accounts SET is_enabled = FALSE WHERE id = $1', 'principal', 401],
    ['deleting an account', apiKeyCaller, 'DELETE FROM service_accounts WHERE id = $1', 'principal', 401],
    ['deleting an assignment', apiKeyCaller, 'DELETE FROM permission_assignments WHERE id = $1', 'assignment', 403],
    ['disabling an assignment', apiKeyCaller, 'UPDATE permission_assignments SET is_enabled = FALSE WHERE id = $1', 'assignment', 403],
    [
      'revoking a personal access token',
      tokenCaller,
      'UPDATE personal_access_tokens SET revoked_at = now() WHERE id = $1',
      'credential',
      401,
    ],
    ['deleting a personal access token', tokenCaller, 'DELETE FROM personal_access_tokens WHERE id = $1', 'credential', 401],
    [
      'restricting a personal access token',
      tokenCaller,
      `UPDATE personal_access_tokens SET permission_mode = 'Restricted' WHERE id = $1`,
      'credential',
      403,
    ],
    ['locking out a user', tokenCaller, `UPDATE users SET lockout_end = '2999-01-01' WHERE id = $1`, 'principal', 401],
    ['deleting a user', tokenCaller, 'DELETE FROM users WHERE id = $1', 'principal', 401],
    ['removing a user from a group', tokenCaller, 'DELETE FROM user_group_members WHERE user_id = $1', 'principal', 403],
    ['deleting a group', tokenCaller, 'DELETE FROM user_groups WHERE id = $1', 'group', 403],
    ['deleting an assignment of a group', tokenCaller, 'DELETE FROM permission_assignments WHERE id = $1', 'assignment', 403],
  ];

  it.each(cases)('%s', async (_what, create, statement, id, expected) => {
    const { status, ids } = await create();
    expect((await otherNode.query(statement, [ids[id]])).rowCount).toBe(1);
    await eventually(`the caller is answered ${expected}`, async () => (await status()) === expected);
  });

  it.each([
    ['taking a device out of a group', 'deviceGroup', 'DELETE FROM device_group_members WHERE device_group_id = $1'],
    ['deleting a device group', 'deviceGroup', 'DELETE FROM device_groups WHERE id = $1'],
    ['moving devices to another customer', 'customer', 'UPDATE devices SET customer_id = NULL WHERE customer_id = $1'],
    ['deleting a customer', 'customer', 'DELETE FROM customers WHERE id = $1'],
  ] as const)('is heard: %s', async (_what, kind, statement) => {
    const [customer, group] = [
      await createCustomer(server, { tenantId: tenant.id }),
      await createDeviceGroup(server, { tenantId: tenant.id }),
    ];
    const device = await createDevice(server, { tenantId: tenant.id, customerId: customer.id, groups: [group] });
    const { client, user } = await callingUser(server, tenant, []);
    const [container, scope] = kind === 'customer' ? [customer, at.customer(customer)] : [group, at.deviceGroup(group)];
    await grant(server, { principal: holder.user(user), permission: Permission.DeviceRead, scope });
    const status = async (): Promise<number> => (await client.get(`/api/v1/devices/${device.id}`)).status;
    expect(await status()).toBe(200);
    await otherNode.query(statement, [container.id]);
    await eventually('the caller is refused', async () => (await status()) === 403);
  });

  it('deleting a tenant that requests name', async () => {
    const named = await createTenant(server);
    const status = async (): Promise<number> => (await server.client().get('/api/v1/tags', { query: { tenantId: named.id } })).status;
    expect(await status()).toBe(200);
    await otherNode.query('DELETE FROM tenants WHERE id = $1', [named.id]);
    await eventually('the tenant is not found', async () => (await status()) === 404);
  });

  it('adding a device to a scope with a Deny', async () => {
    const group = await createDeviceGroup(server, { tenantId: tenant.id });
    const device = await createDevice(server, { tenantId: tenant.id });
    const { client, user } = await callingUser(server, tenant, [Permission.DeviceRead]);
    const denial = { permission: Permission.DeviceRead, scope: at.deviceGroup(group), effect: PermissionEffect.Deny };
    await grant(server, { principal: holder.user(user), ...denial });
    const status = async (): Promise<number> => (await client.get(`/api/v1/devices/${device.id}`)).status;
    expect(await status()).toBe(200);
    await otherNode.query('INSERT INTO device_group_members (device_group_id, device_id) VALUES ($1, $2)', [group.id, device.id]);
    await eventually('the caller is refused', async () => (await status()) === 403);
  });

  it('granting', async () => {
    const { status, ids } = await tokenCaller();
    await otherNode.query('UPDATE permission_assignments SET is_enabled = FALSE WHERE id = $1', [ids.assignment]);
    await eventually('the caller is refused', async () => (await status()) === 403);
    await otherNode.query('UPDATE permission_assignments SET is_enabled = TRUE WHERE id = $1', [ids.assignment]);
    await eventually('the caller is let in again', async () => (await status()) === 200);
  });
});

describe('while notifications do not arrive', () => {
  /** Refuses new connections to the test's database; existing ones stay. */
  async function allowConnections(allowed: boolean): Promise<void> {
    const elsewhere = new Client({ ...server.database.connection, database: 'postgres' });
    await elsewhere.connect();
    try {
      await elsewhere.query(`ALTER DATABASE ${server.database.connection.database} ALLOW_CONNECTIONS ${allowed}`);
    } finally {
      await elsewhere.end();
    }
  }

  it('caches nothing, so that every write takes effect at once, and then resumes', async () => {
    const bus = server.app.get(InvalidationBus);
    const byKey = await apiKeyCaller();
    const byToken = await tokenCaller();
    const before = await tokenCaller();
    // The existing connections of the pool suffice for background work besides the requests.
    await Promise.all(Array.from({ length: 6 }, () => server.dataSource.query('SELECT 1')));
    await allowConnections(false);
    try {
      const { rowCount } = await otherNode.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE datname = current_database() AND application_name = 'device-management invalidations'`,
      );
      expect(rowCount).toBe(1);
      await eventually('the node knows that it hears nothing', () => !bus.isListening);

      for (const [caller, statement, id, expected] of [
        [byKey, 'UPDATE service_account_credentials SET revoked_at = now() WHERE id = $1', 'credential', 401],
        [byToken, 'DELETE FROM user_group_members WHERE user_id = $1', 'principal', 403],
      ] as const) {
        expect(await caller.status()).toBe(200);
        await otherNode.query(statement, [caller.ids[id]]);
        expect(await caller.status()).toBe(expected);
      }
      expect(await before.status()).toBe(200);
      expect(bus.isListening).toBe(false);
    } finally {
      await allowConnections(true);
    }
    await eventually('the node hears again', () => bus.isListening);
    expect(await before.status()).toBe(200);
    await otherNode.query('DELETE FROM permission_assignments WHERE id = $1', [before.ids.assignment]);
    await eventually('the write is heard', async () => (await before.status()) === 403);
  });
});
