import { beforeAll, describe, expect, it } from 'vitest';
import { Client } from 'pg';

import { Permission, PermissionPrincipalKind, PermissionScopeKind } from '../../src/access/authorization/permissions/permission.js';
import { PermissionAssignment } from '../../src/access/permission-assignments/permission-assignment.entity.js';
import { Device } from '../../src/devices/devices/device.entity.js';
import { FIELD_NAMES, fieldOf, fieldsFrom, type FieldName, type FieldType } from '../../src/devices/devices/row/device-fields.js';
import { columnOf } from '../../src/devices/devices/row/device-sql.js';
import { INVALIDATION_CHANNEL, Topic } from '../../src/platform/database/triggers/invalidation-topics.js';
import { eventually } from '../support/eventually.js';
import {
  at,
  createCustomer,
  createDevice,
  createDeviceGroup,
  createLogonToken,
  createPersonalAccessToken,
  createServiceAccountWithKey,
  createTenant,
  createUser,
  createUserGroup,
  grant,
  holder,
  type Scope,
} from '../support/fixtures/factories.js';
import { testServer, testTenant } from '../support/setup/test-server.js';

const server = testServer();
const tenant = testTenant(server);
/** A connection that writes and receives the notifications of triggers. */
let client: Client;
const heard = new Set<string>();

beforeAll(async () => {
  client = new Client(server.database.connection);
  client.on('notification', ({ payload }) => heard.add(payload ?? ''));
  await client.connect();
  await client.query(`LISTEN ${INVALIDATION_CHANNEL}`);
  server.alsoStop({ stop: () => client.end() });
});

const inTenant = () => ({ tenantId: tenant.id });
const remove = (table: string, id: string | null) => client.query(`DELETE FROM ${table} WHERE id = $1`, [id]);
const assignmentsOf = (principalId: string) => server.dataSource.manager.countBy(PermissionAssignment, { principalId });

describe('deleting a principal', () => {
  interface PrincipalCase {
    readonly table: string;
    readonly create: () => Promise<{ readonly id: string }>;
    /** Sessions use the assignments after the principal was deleted; a background job removes them. */
    readonly isOutlived?: true;
  }

  const principals: Readonly<Record<PermissionPrincipalKind, PrincipalCase>> = {
    User: { table: 'users', create: () => createUser(server, inTenant()) },
    UserGroup: { table: 'user_groups', create: () => createUserGroup(server, inTenant()) },
    ServiceAccount: { table: 'service_accounts', create: async () => (await createServiceAccountWithKey(server, inTenant())).account },
    PersonalAccessToken: {
      table: 'personal_access_tokens',
      create: async () => (await createPersonalAccessToken(server, await createUser(server, inTenant()))).token,
    },
    LogonToken: {
      table: 'logon_tokens',
      create: async () => createLogonToken(server, await createUser(server, inTenant()), await createDevice(server, inTenant())),
      isOutlived: true,
    },
  };

  it.each(Object.values(PermissionPrincipalKind))('of kind %s removes its assignments and notifies the caches', async (kind) => {
    expect(principals).toHaveProperty(kind);
    expect(Object.values<string>(Topic)).toContain(kind);
    const { table, create, isOutlived } = principals[kind];
    const { id } = await create();
    await grant(server, { principal: { kind, id }, permission: Permission.DeviceRead, scope: at.tenant(tenant) });
    await eventually('the new assignment is heard', () => heard.delete(`${kind}:${id}`));

    expect((await remove(table, id)).rowCount).toBe(1);
    expect(await assignmentsOf(id)).toBe(isOutlived === true ? 1 : 0);
    if (isOutlived === true) await client.query('DELETE FROM permission_assignments WHERE principal_id = $1', [id]);
    await eventually('the removal is heard', () => heard.has(`${kind}:${id}`));
  });
});

describe('deleting the object of a scope', () => {
  interface ScopeCase {
    readonly table: string;
    readonly create: () => Promise<Scope>;
  }

  /** Null for kinds without an object. */
  const scopes: Readonly<Record<PermissionScopeKind, ScopeCase | null>> = {
    Unknown: null,
    Server: null,
    Tenant: { table: 'tenants', create: async () => at.tenant(await createTenant(server)) },
    CustomerTenant: { table: 'customers', create: async () => at.customer(await createCustomer(server, inTenant())) },
    DeviceGroup: { table: 'device_groups', create: async () => at.deviceGroup(await createDeviceGroup(server, inTenant())) },
    Device: { table: 'devices', create: async () => at.device(await createDevice(server, inTenant())) },
    UserGroup: { table: 'user_groups', create: async () => at.userGroup(await createUserGroup(server, inTenant())) },
  };
  const kindsWithObject = Object.values(PermissionScopeKind).filter((kind) => scopes[kind] !== null);

  it.each(kindsWithObject)(
    'of kind %s removes the assignments scoped to it and notifies the caches about their principals',
    async (kind) => {
      const scopeCase = scopes[kind];
      if (!scopeCase) throw new Error(`There is no case for the scope kind ${kind}.`);
      // A server account, which outlives the tenant.
      const { account } = await createServiceAccountWithKey(server);
      const scope = await scopeCase.create();
      await grant(server, { principal: holder.serviceAccount(account), permission: Permission.DeviceRead, scope });
      await eventually('the new assignment is heard', () => heard.delete(`ServiceAccount:${account.id}`));

      expect((await remove(scopeCase.table, scope.scopeId)).rowCount).toBe(1);
      expect(await assignmentsOf(account.id)).toBe(0);
      await eventually('the removal is heard', () => heard.has(`ServiceAccount:${account.id}`));
    },
  );
});

it('triggers notify only listed topics', () => {
  const topics = new Set([...heard].map((payload) => payload.slice(0, payload.indexOf(':'))));
  expect(topics.size).toBeGreaterThan(1);
  expect(Object.values<string>(Topic)).toEqual(expect.arrayContaining([...topics]));
});

it('the search text of a device contains exactly the fields that the table of fields marks', async () => {
  const device = await createDevice(server, inTenant());
  const texts = FIELD_NAMES.filter((name) => ['text', 'texts'].includes(fieldOf(name).type) && fieldOf(name).sql === undefined);
  const found: string[] = [];
  for (const [index, name] of texts.entries()) {
    const mark = `mark-${index}-`;
    const value = fieldOf(name).type === 'texts' ? [mark] : mark;
    await client.query(`UPDATE devices SET ${columnOf(name)} = $2 WHERE id = $1`, [device.id, value]);
    const { rowCount } = await client.query(
      `SELECT 1 FROM device_search_texts WHERE device_id = $1 AND search_text LIKE searchable('%' || $2 || '%')`,
      [device.id, mark],
    );
    if (rowCount === 1) found.push(name);
  }
  expect(found).toEqual(texts.filter((name) => fieldOf(name).inSearchText === true));
});

describe('the digest of the details of a device', () => {
  /** Another value than a new device has. */
  const OTHER_VALUES: Readonly<Partial<Record<FieldType, unknown>>> = {
    text: 'other',
    texts: ['other'],
    number: 0.5,
    integer: 64,
    boolean: true,
    architecture: 1,
    platform: 2,
    drives: '[{}]',
  };

  async function digestAfter(name: FieldName, furtherSet = ''): Promise<unknown> {
    const { id } = await createDevice(server, { ...inTenant(), detailsDigest: 'former' });
    await client.query(`UPDATE devices SET ${columnOf(name)} = $2 ${furtherSet} WHERE id = $1`, [id, OTHER_VALUES[fieldOf(name).type]]);
    return (await client.query<{ digest: string }>('SELECT details_digest AS digest FROM devices WHERE id = $1', [id])).rows[0]?.digest;
  }

  it.each(fieldsFrom('details'))('is emptied when something changes %s without it', async (name) => {
    expect(await digestAfter(name)).toBe('');
    expect(await digestAfter(name, `, details_digest = 'new'`)).toBe('new');
  });

  it.each(fieldsFrom('figures', 'address'))('stays when something changes %s', async (name) => {
    expect(await digestAfter(name)).toBe('former');
  });

  it('stays when something writes details as they are', async () => {
    const { id } = await createDevice(server, { ...inTenant(), detailsDigest: 'former' });
    await client.query('UPDATE devices SET name = name, drives = drives WHERE id = $1', [id]);
    expect(await server.dataSource.manager.findOneByOrFail(Device, { id })).toMatchObject({ detailsDigest: 'former' });
  });
});
