import { describe, expect, it } from 'vitest';

import { Permission, PermissionEffect } from '../../../src/access/authorization/permissions/permission.js';
import type { Device } from '../../../src/devices/devices/device.entity.js';
import { newGuid } from '../../../src/platform/common/identifiers/guid.js';
import { lockNamesUntilCommit, NamedAdvisoryLock } from '../../../src/platform/database/locks/advisory-locks.js';
import { testAgents } from '../../hubs/test-agents.js';
import { Scene } from '../../routes/scene.js';
import type { ApiAnswer } from '../../support/application/api-client.js';
import { accountWith, statusesOf } from '../../support/callers/callers.js';
import { eventually } from '../../support/eventually.js';
import {
  addToUserGroup,
  at,
  createCustomer,
  createDevice,
  createDeviceGroup,
  createServiceAccountWithKey,
  createUser,
  createUserGroup,
} from '../../support/fixtures/factories.js';
import { testServer, testTenant } from '../../support/setup/test-server.js';

/* Cases that the matrix of all routes (test/api/matrix/entity-tags) does not show. */

const STORAGE = '/api/v1/user-storage';
const SETTINGS = '/api/v1/tenant-settings';
const WAITING = `SELECT count(*)::integer AS count FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;

const server = testServer();
const tenant = testTenant(server);
const { newDevice, online } = testAgents(server, tenant);

const inTenant = () => ({ query: { tenantId: tenant.id } });
const ifMatch = (tag: string) => ({ headers: { 'if-match': tag } });

function tagOf({ headers }: ApiAnswer): string {
  const tag = headers.get('etag');
  if (tag === null) throw new Error('The answer has no tag.');
  return tag;
}

async function tagAt(path: string): Promise<string> {
  return tagOf(await server.client().get(path, inTenant()));
}

/** Sends calls that all wait for one lock, and releases it once they do. */
async function atOnce(
  lock: readonly [sql: string, id: string] | 'settings',
  calls: readonly (() => Promise<ApiAnswer>)[],
): Promise<ApiAnswer[]> {
  const runner = server.dataSource.createQueryRunner();
  await runner.startTransaction();
  try {
    if (lock === 'settings') await lockNamesUntilCommit(runner.manager, NamedAdvisoryLock.OwnerTexts, [`tenant_settings:${tenant.id}`]);
    else await runner.query(lock[0], [lock[1]]);
    const answers = Promise.all(calls.map((call) => call()));
    await eventually('the calls wait for the lock', async () => {
      const [{ count }] = await server.dataSource.query<{ count: number }[]>(WAITING);
      return count >= calls.length;
    });
    await runner.commitTransaction();
    return await answers;
  } finally {
    await runner.release();
  }
}

describe('of two changes of the same state exactly one is made', () => {
  const scene = (): Scene => new Scene(server, tenant);
  const lockOf = (table: string) => `SELECT 1 FROM ${table} WHERE id = $1 FOR UPDATE`;

  it.each<[string, string, () => Promise<{ readonly id: string }>, (id: string) => string, (id: string, text: string) => object, string?]>([
    ['tags', 'tags', () => scene().tag(), (id) => `/api/v1/tags/${id}`, (_id, name) => ({ name })],
    ['customers', 'customers', () => scene().customer(), (id) => `/api/v1/customers/${id}`, (_id, name) => ({ name })],
    ['device groups', 'device_groups', () => scene().deviceGroup(), (id) => `/api/v1/device-groups/${id}`, (_id, name) => ({ name })],
    ['tenants', 'tenants', () => scene().anotherTenant(), (id) => `/api/v1/tenants/${id}`, (_id, name) => ({ name })],
    ['devices', 'devices', () => scene().device(), (id) => `/api/v1/devices/${id}`, (deviceId, alias) => ({ deviceId, alias }), '/alias'],
  ])('%s', async (_what, table, make, pathOf, bodyOf, change = '') => {
    const { id } = await make();
    const path = pathOf(id);
    const tag = await tagAt(path);
    const method = change === '' ? 'PUT' : 'PATCH';
    const answers = await atOnce(
      [lockOf(table), id],
      ['one', 'two'].map(
        (text) => () =>
          server
            .client()
            .call(method, `${path}${change}`, { ...inTenant(), ...ifMatch(tag), body: bodyOf(id, `${text} ${id.slice(0, 8)}`) }),
      ),
    );
    expect(statusesOf(answers)).toEqual([200, 412]);
    const made = answers.find(({ status }) => status === 200);
    expect(await tagAt(path)).toBe(made === undefined ? '' : tagOf(made));
  });

  it('settings', async () => {
    const name = `name-${newGuid()}`;
    const tag = await tagAt(`${SETTINGS}/${name}`);
    const set = (value: string) => () => server.client().post(SETTINGS, { ...inTenant(), ...ifMatch(tag), body: { name, value } });
    expect(statusesOf(await atOnce('settings', [set('one'), set('two')]))).toEqual([200, 412]);
  });
});

describe("the tag of a device is its people's", () => {
  const path = ({ id }: Pick<Device, 'id'>): string => `/api/v1/devices/${id}`;

  it('so that heartbeats and reports leave it, and a change still is that of the present state', async () => {
    const device = await newDevice();
    const tag = await tagAt(path(device));
    const agent = await online(device);
    await eventually('the report is stored', async () => (await server.client().get(path(device))).text.includes('"isOnline":true'));
    const name = `Renamed ${newGuid()}`;
    expect((await agent.heartbeat({ name, cpuUtilization: 0.75 })).isSuccess).toBe(true);
    await eventually('the new name is stored', async () => (await server.client().get(path(device))).text.includes(name));
    expect(await tagAt(path(device))).toBe(tag);
    const body = { deviceId: device.id, alias: 'Front desk' };
    const changed = await server.client().patch(`${path(device)}/alias`, { ...ifMatch(tag), body });
    expect([changed.status, tagOf(changed)]).toEqual([200, await tagAt(path(device))]);
    expect(tagOf(changed)).not.toBe(tag);
    await agent.heartbeat({ cpuUtilization: 0.5 });
    expect((await server.client().delete(path(device), ifMatch(tag))).status).toBe(412);
    expect((await server.client().delete(path(device), ifMatch(tagOf(changed)))).status).toBe(204);
  });

  it('so that its tags, which have a route of their own, leave it', async () => {
    const [device, { id: tagId }] = [await newDevice(), await new Scene(server, tenant).tag()];
    const tag = await tagAt(path(device));
    const body = { deviceId: device.id, tagId };
    expect((await server.client().post('/api/v1/device-tags', { ...inTenant(), body })).status).toBe(204);
    expect(await tagAt(path(device))).toBe(tag);
  });
});

describe('a change of parts with routes of their own leaves the tag of', () => {
  it('a device group and a user group: their members', async () => {
    const [devices, users] = [
      await createDeviceGroup(server, { tenantId: tenant.id }),
      await createUserGroup(server, { tenantId: tenant.id }),
    ];
    const paths = [`/api/v1/device-groups/${devices.id}`, `/api/v1/user-groups/${users.id}`];
    const before = await Promise.all(paths.map(tagAt));
    // So many that the answer is streamed.
    for (let count = 0; count < 20; count += 1) {
      await createDevice(server, { tenantId: tenant.id, groups: [devices] });
      await addToUserGroup(server, users, await createUser(server, { tenantId: tenant.id }));
    }
    expect(await Promise.all(paths.map(tagAt))).toEqual(before);
    for (const [index, path] of paths.entries()) {
      const compressed = await server.client().get(path, { ...inTenant(), headers: { 'accept-encoding': 'br' } });
      expect([compressed.headers.get('content-encoding'), compressed.headers.get('etag')]).toEqual(['br', before[index]]);
      expect((await server.client().call('HEAD', path, inTenant())).headers.get('etag')).toBe(before[index]);
    }
  });

  it('a service account: its credentials', async () => {
    const { account } = await createServiceAccountWithKey(server, { tenantId: tenant.id });
    const path = `/api/v1/tenant-service-accounts/${tenant.id}/${account.id}`;
    const tag = await tagAt(path);
    expect((await server.client().post(`${path}/credentials`, { body: { name: 'Another' } })).status).toBe(200);
    expect(await tagAt(path)).toBe(tag);
  });

  it('a customer: its devices. A reader who sends the tag still gets the present answer', async () => {
    const customer = await createCustomer(server, { tenantId: tenant.id });
    const path = `/api/v1/customers/${customer.id}`;
    const tag = await tagAt(path);
    await createDevice(server, { tenantId: tenant.id, customerId: customer.id });
    const read = await server.client().get(path, { ...inTenant(), headers: { 'if-none-match': tag } });
    expect([read.status, tagOf(read), read.body]).toEqual([200, tag, expect.objectContaining({ deviceCount: 1 })]);
  });
});

describe('a setting that is not set', () => {
  const name = `setting-${newGuid()}`;

  it('has a tag, which guards its first text, and has it again when it is removed', async () => {
    const read = await server.client().get(`${SETTINGS}/${name}`, inTenant());
    const tag = tagOf(read);
    expect(read.status).toBe(204);
    const set = (value: string, expected: string) =>
      server.client().post(SETTINGS, { ...inTenant(), ...ifMatch(expected), body: { name, value } });
    const made = await set('first', tag);
    expect([made.status, tagOf(made)]).toEqual([200, await tagAt(`${SETTINGS}/${name}`)]);
    expect((await set('second', tag)).status).toBe(412);
    expect((await server.client().delete(`${SETTINGS}/${name}`, { ...inTenant(), ...ifMatch(tag) })).status).toBe(412);
    expect((await server.client().delete(`${SETTINGS}/${name}`, { ...inTenant(), ...ifMatch(tagOf(made)) })).status).toBe(204);
    expect(await tagAt(`${SETTINGS}/${name}`)).toBe(tag);
    const emptied = await set(' ', '*');
    expect([emptied.status, tagOf(emptied)]).toEqual([200, tag]);
  });

  it('of another name leaves the tag of all settings, and one that the service knows changes it', async () => {
    const tag = await tagAt(SETTINGS);
    const set = (known: string) => server.client().post(SETTINGS, { ...inTenant(), body: { name: known, value: 'true' } });
    await set(`setting-${newGuid()}`);
    expect(await tagAt(SETTINGS)).toBe(tag);
    await set('append-instance-id');
    expect(await tagAt(SETTINGS)).not.toBe(tag);
    expect((await server.client().put(SETTINGS, { ...inTenant(), ...ifMatch(tag), body: { instanceId: 'x' } })).status).toBe(412);
  });
});

describe('a text that is not stored', () => {
  it('has no tag, and no condition about it holds', async () => {
    const key = `key-${newGuid()}`;
    const path = `${STORAGE}/${key}`;
    const read = await server.client().get(path, inTenant());
    expect([read.status, read.headers.get('etag')]).toEqual([204, null]);
    for (const expected of ['*', '"a"']) {
      const condition = { ...inTenant(), ...ifMatch(expected) };
      expect((await server.client().post(STORAGE, { ...condition, body: { key, value: 'x' } })).status).toBe(412);
      expect((await server.client().delete(path, condition)).status).toBe(412);
    }
    expect((await server.client().delete(path, inTenant())).status).toBe(404);
  });

  it('is refused by its tag before by the text that it replaces', async () => {
    const key = `key-${newGuid()}`;
    const stored = await server.client().post(STORAGE, { ...inTenant(), body: { key, value: 'one' } });
    const replace = (expected: string, replaces: string) =>
      server.client().post(STORAGE, { ...inTenant(), ...ifMatch(expected), body: { key, value: 'two', replaces } });
    expect((await replace('"a"', 'other')).status).toBe(412);
    expect((await replace(tagOf(stored), 'other')).status).toBe(409);
    expect((await replace(tagOf(stored), 'one')).status).toBe(200);
  });
});

describe('a caller who may not delete', () => {
  it('a customer because of a Deny is refused with 403, whatever state it expects', async () => {
    const customer = await createCustomer(server, { tenantId: tenant.id });
    const client = await accountWith(
      server,
      tenant,
      [Permission.TenantCustomersWrite, at.tenant(tenant)],
      [Permission.DeviceTerminalUse, at.customer(customer), PermissionEffect.Deny],
    );
    const path = `/api/v1/customers/${customer.id}`;
    for (const expected of [await tagAt(path), '"a"', '*']) {
      expect((await client.delete(path, { ...inTenant(), ...ifMatch(expected) })).status).toBe(403);
    }
    expect((await server.client().delete(path, { ...inTenant(), ...ifMatch('"a"') })).status).toBe(412);
  });
});
