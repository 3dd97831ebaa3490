import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { Client } from 'pg';

import { SYSTEM } from '../../../src/access/authentication/principals/principal.js';
import { TenantEvent } from '../../../src/access/authorization/event-log/event.entity.js';
import { Permission, PermissionEffect } from '../../../src/access/authorization/permissions/permission.js';
import { PermissionAssignment } from '../../../src/access/permission-assignments/permission-assignment.entity.js';
import { DeviceActivities } from '../../../src/devices/device-activity/device-activities.js';
import { DeviceActivityKind, DeviceActivityOutcome } from '../../../src/devices/device-activity/device-activity-kinds.js';
import type { Device } from '../../../src/devices/devices/device.entity.js';
import { OfflineDevices } from '../../../src/devices/devices/offline-devices.js';
import { PersonalAccessToken } from '../../../src/people/personal-access-tokens/personal-access-token.entity.js';
import { newGuid } from '../../../src/platform/common/identifiers/guid.js';
import { EventFeed } from '../../../src/system/events/event-feed.js';
import { EventRetention } from '../../../src/system/events/event-retention.js';
import { TenantRemoval } from '../../../src/tenants/tenants/tenant-removal.js';
import type { Tenant } from '../../../src/tenants/tenants/tenant.entity.js';
import type { ApiAnswer, ApiCall, ApiClient } from '../../support/application/api-client.js';
import { EventStreamReader, type ReadEvent } from '../../support/application/event-stream-reader.js';
import { Browser, createPerson } from '../../support/callers/browser.js';
import { accountWith, callingUser, clientOf, detailOf, wrongFieldsOf } from '../../support/callers/callers.js';
import { ReportingDevice } from '../../support/devices/reporting-device.js';
import { eventually } from '../../support/eventually.js';
import {
  at,
  createDevice,
  createDeviceGroup,
  createPersonalAccessToken,
  createTenant,
  createUser,
  grant,
  holder,
} from '../../support/fixtures/factories.js';
import { testServer, testTenant } from '../../support/setup/test-server.js';

const PATH = '/api/events';
const { TenantEventsRead, DeviceRead } = Permission;
const server = testServer();
const { signal } = new AbortController();

interface Page {
  readonly items: readonly ReadEvent[];
  readonly next: string | null;
}

const readers: EventStreamReader[] = [];
afterEach(() => {
  for (const reader of readers.splice(0)) reader.close();
});

/** The events of a tenant, as an account reads them that sees all. */
async function read(tenant: Pick<Tenant, 'id'>, query: ApiCall['query'] = {}, client: ApiClient = server.client()): Promise<Page> {
  return (await client.get(PATH, { query: { tenantId: tenant.id, ...query } })).as<Page>();
}

/** Waits until a tenant has so many events. */
async function eventsOf(tenant: Pick<Tenant, 'id'>, count: number): Promise<readonly ReadEvent[]> {
  let items: readonly ReadEvent[] = [];
  await eventually(`the tenant has ${count} events`, async () => ({ items } = await read(tenant)).items.length >= count);
  expect(items.map(({ kind }) => kind)).toHaveLength(count);
  return items;
}

const kindsOf = (events: readonly ReadEvent[]): string[] => events.map(({ kind }) => kind);

/** Writes an event as a transaction of the service does. */
async function write(
  tenant: Pick<Tenant, 'id'>,
  data: object = {},
  deviceId: string | null = null,
  database: Pick<Client, 'query'> | null = null,
): Promise<void> {
  const text = `INSERT INTO events (id, tenant_id, kind, device_id, data) VALUES ($1, $2, 'installer-key.used', $3, $4)`;
  const values = [newGuid(), tenant.id, deviceId, JSON.stringify(data)];
  if (database === null) await server.dataSource.query(text, values);
  else await database.query(text, values);
}

async function follow(token: string, query = '', headers: Record<string, string> = {}): Promise<EventStreamReader> {
  const reader = await EventStreamReader.open(`${server.url}${PATH}/stream${query}`, { 'x-personal-token': token, ...headers });
  readers.push(reader);
  return reader;
}

/** A user who may read events, and all devices unless told otherwise, with the value of a token. */
async function readingUser(tenant: Tenant, permissions = [TenantEventsRead, DeviceRead]) {
  const { user } = await callingUser(server, tenant, permissions);
  const { key, token } = await createPersonalAccessToken(server, user, { permissionMode: 'InheritOwner' } as Partial<PersonalAccessToken>);
  return { user, key, token, client: server.client({ 'x-personal-token': key }) };
}

describe('the events of a tenant', () => {
  it('tell of changed permissions, one event for each principal, with names', async () => {
    const tenant = await createTenant(server);
    const user = await createUser(server, { tenantId: tenant.id, userName: 'anna@contoso.example' });
    const body = {
      principalKind: 'User',
      principalId: user.id,
      permissionName: 'device.read',
      effect: 'Allow',
      scopeKind: 'Tenant',
      scopeId: tenant.id,
    };
    const created = await server.client().post('/api/v1/permission-assignments', { query: { tenantId: tenant.id }, body });
    const { id } = created.as<{ id: string }>();
    await server.client().delete(`/api/v1/permission-assignments/${id}`, { query: { tenantId: tenant.id } });
    const [granted, revoked] = await eventsOf(tenant, 2);
    expect(granted).toMatchObject({
      kind: 'permission.changed',
      tenantId: tenant.id,
      deviceId: null,
      actor: { kind: 'ServiceAccount' },
      data: {
        principalKind: 'User',
        principalId: user.id,
        principalName: 'anna@contoso.example',
        count: 1,
        changes: [
          { action: 'created', permission: 'device.read', effect: 'Allow', scopeKind: 'Tenant', scopeId: tenant.id, isEnabled: true },
        ],
        session: null,
      },
    });
    expect(revoked.data.changes).toEqual([expect.objectContaining({ action: 'deleted', permission: 'device.read' })]);
  });

  it('tell of a caller whose long name has characters that count twice in JavaScript', async () => {
    const tenant = await createTenant(server);
    // As the name of an external user can be.
    const user = await createUser(server, { tenantId: tenant.id, userName: `ext-a${'😀'.repeat(199)}` });
    await grant(server, { principal: holder.user(user), permission: Permission.TenantPermissionsWrite, scope: at.tenant(tenant) });
    const { id } = await createUser(server, { tenantId: tenant.id });
    const body = {
      principalKind: 'User',
      principalId: id,
      permissionName: 'tenant.permissions.write',
      effect: 'Allow',
      scopeKind: 'Tenant',
    };
    const answer = await (await clientOf(server, user)).post('/api/v1/permission-assignments', { query: { tenantId: tenant.id }, body });
    expect(answer.status).toBe(201);
    expect((await eventsOf(tenant, 1))[0]).toMatchObject({ actor: { kind: 'User', name: user.userName } });
  });

  it('tell of registered devices, used keys, changed keys, and devices that come and go', async () => {
    const { id: tenantId } = await createTenant(server);
    const key = await server.client().post('/api/v1/installer-keys', { body: { tenantId, keyType: 'Persistent' } });
    const { id: keyId, keySecret } = key.as<{ id: string; keySecret: string }>();
    const device = await ReportingDevice.register(server.url, { tenantId, keyId, keySecret });
    await device.connect(server.url);
    await device.reportAs('PC-1');
    const first = await eventsOf({ id: tenantId }, 3);
    expect(kindsOf(first)).toEqual(['device.registered', 'installer-key.used', 'device.online']);
    expect(first[0]).toMatchObject({ deviceId: device.id, actor: null, data: { isNew: true, installerKeyId: keyId } });
    expect(first[2]).toMatchObject({ deviceId: device.id, data: { name: expect.any(String) } });
    await device.reportAs('PC-1');
    await device.disconnect();

    // A short absence has no events.
    const again = await ReportingDevice.register(server.url, { tenantId, keyId, keySecret }, device.id);
    await again.connect(server.url);
    await again.reportAs('PC-1');
    const second = (await eventsOf({ id: tenantId }, 6)).slice(3);
    expect(kindsOf(second)).toEqual(['device.registered', 'installer-key.used', 'device.key-changed']);
    expect(second[0].data.isNew).toBe(false);
    expect(second[2].data).toMatchObject({
      state: 'replaced',
      fingerprint: expect.stringMatching(/^SHA256:/),
      formerFingerprint: expect.stringMatching(/^SHA256:/),
    });

    await again.disconnect();
    await absenceOf(device.id);
    expect(await server.app.get(OfflineDevices).tellOf(60, signal)).toBe(0);
    await server.dataSource.query(`UPDATE device_absences SET since = since - interval '61 seconds' WHERE device_id = $1`, [device.id]);
    expect(await server.app.get(OfflineDevices).tellOf(60, signal)).toBe(1);
    expect(await server.app.get(OfflineDevices).tellOf(60, signal)).toBe(0);
    await again.connect(server.url);
    await again.reportAs('PC-2');
    const third = (await eventsOf({ id: tenantId }, 8)).slice(6);
    expect(third).toMatchObject([
      { kind: 'device.offline', deviceId: device.id, data: { name: 'PC-1', since: expect.any(String) } },
      { kind: 'device.online', deviceId: device.id, data: { name: 'PC-2' } },
    ]);
    await again.disconnect();
  });

  it('tell of sessions on devices with their outcome, and of no other activity', async () => {
    const tenant = await createTenant(server);
    const { id: deviceId } = await createDevice(server, { tenantId: tenant.id, name: 'PC-7' });
    const activities = server.app.get(DeviceActivities);
    const actor = { principal: SYSTEM, remoteAddress: null, requestId: 'test' };
    activities.begin(actor, { kind: DeviceActivityKind.Upload, tenantId: tenant.id, deviceId }).end(DeviceActivityOutcome.Completed);
    const running = activities.begin(actor, { kind: DeviceActivityKind.Terminal, tenantId: tenant.id, deviceId });
    await eventsOf(tenant, 1);
    running.end(DeviceActivityOutcome.Failed);
    await eventsOf(tenant, 2);
    // Begun and ended before it was written.
    activities.begin(actor, { kind: DeviceActivityKind.Vnc, tenantId: tenant.id, deviceId }).end(DeviceActivityOutcome.Completed);
    const events = await eventsOf(tenant, 4);
    expect(events).toMatchObject([
      { kind: 'session.begun', deviceId, data: { name: 'PC-7', session: 'Terminal', outcome: null } },
      { kind: 'session.ended', deviceId, data: { name: 'PC-7', session: 'Terminal', outcome: 'Failed' } },
      { kind: 'session.begun', data: { session: 'Vnc' } },
      { kind: 'session.ended', data: { session: 'Vnc', outcome: 'Completed' } },
    ]);
    expect(events[0].data.sessionId).toBe(events[1].data.sessionId);
  });

  it('tell of sign-ins from browsers and networks that are new to the account', async () => {
    const tenant = await createTenant(server);
    const person = await createPerson(server, { tenantId: tenant.id });
    const browser = new Browser(server);
    expect((await browser.signIn(person)).status).toBe(200);
    expect((await browser.signIn(person)).status).toBe(200);
    expect((await new Browser(server).signIn(person)).status).toBe(200);
    const [first, second] = await eventsOf(tenant, 2);
    expect(first).toMatchObject({
      kind: 'user.signed-in',
      actor: { kind: 'User', id: person.id, name: person.userName },
      data: {
        method: 'Password',
        isNewBrowser: true,
        isNewNetwork: true,
        address: expect.any(String),
        client: expect.stringContaining('Firefox'),
      },
    });
    expect(second.data).toMatchObject({ isNewBrowser: true, isNewNetwork: false });
  });

  it('are gone with their tenant', async () => {
    const tenant = await createTenant(server);
    await write(tenant);
    await eventsOf(tenant, 1);
    expect((await server.client().delete(`/api/v1/tenants/${tenant.id}`)).status).toBe(204);
    for (const { app } of server.nodes) await app.get(TenantRemoval).idle();
    expect(await server.dataSource.manager.countBy(TenantEvent, { tenantId: tenant.id })).toBe(0);
    expect(await server.dataSource.query('SELECT 1 FROM event_heads WHERE tenant_id = $1', [tenant.id])).toEqual([]);
  });
});

describe('reading events', () => {
  const tenant = testTenant(server);
  const other = testTenant(server);

  beforeAll(async () => {
    for (let number = 1; number <= 5; number += 1) {
      await write(tenant, { count: number });
      await eventsOf(tenant, number);
    }
    await write(other);
    await eventsOf(other, 1);
  });

  it('goes on after an id, page by page, and says where to go on', async () => {
    const first = await read(tenant, { limit: 2 });
    const second = await read(tenant, { limit: 2, after: first.next ?? '' });
    const third = await read(tenant, { limit: 2, after: second.next ?? '' });
    const fourth = await read(tenant, { limit: 2, after: third.next ?? '' });
    expect([first, second, third, fourth].map(({ items }) => items.map(({ data }) => data.count))).toEqual([[1, 2], [3, 4], [5], []]);
    expect(fourth.next).toBe(third.next);
    expect(first.next).toBe(first.items[1].id);
  });

  it('goes backwards from the newest', async () => {
    const first = await read(tenant, { limit: 3, before: 'latest' });
    const second = await read(tenant, { limit: 3, before: first.next ?? '' });
    expect([first, second].map(({ items }) => items.map(({ data }) => data.count))).toEqual([
      [5, 4, 3],
      [2, 1],
    ]);
    expect(second.next).toBeNull();
  });

  it('filters by kind and device, and still says where to go on', async () => {
    const all = await read(tenant);
    for (const query of [{ kinds: 'device.online,device.offline' }, { deviceId: newGuid() }]) {
      expect(await read(tenant, query)).toEqual({ items: [], next: all.next });
    }
    expect((await read(tenant, { kinds: 'installer-key.used' })).items).toHaveLength(5);
  });

  it('refuses ids that are malformed, of another tenant, or of no event', async () => {
    const [foreign] = (await read(other)).items;
    const next = String((await read(tenant)).next);
    const future = next.replace(/^\d+/, (number) => String(Number(number) + 1));
    const ask = (after: string): Promise<ApiAnswer> => server.client().get(PATH, { query: { tenantId: tenant.id, after } });
    for (const malformed of ['x', '0-00000000', '-1']) expect(wrongFieldsOf(await ask(malformed))).toEqual(['after']);
    for (const unknown of [foreign.id, future]) expect(detailOf(await ask(unknown))).toBe('The event was not found.');
    expect((await ask(foreign.id)).status).toBe(404);
    const both = await server.client().get(PATH, { query: { tenantId: tenant.id, after: next, before: 'latest' } });
    expect(wrongFieldsOf(both)).toEqual(['before']);
    expect(wrongFieldsOf(await server.client().get(PATH, { query: { tenantId: tenant.id, kinds: 'device.exploded' } }))).toEqual(['kinds']);
  });

  it('waits for an event, which wakes it', async () => {
    const { next } = await read(tenant);
    const waiting = read(tenant, { after: next ?? '', wait: 55 });
    await eventually('the reader waits', () => readersWaiting() > 0);
    await write(tenant, { count: 6 });
    expect((await waiting).items.map(({ data }) => data.count)).toEqual([6]);
  });

  it('answers without an event when the time is over', async () => {
    const { next } = await read(tenant);
    expect(await read(tenant, { after: next ?? '', wait: 1 })).toEqual({ items: [], next });
  });

  it('answers 410 with the oldest id when events behind it were removed, and goes on where none is missing', async () => {
    const old = await createTenant(server);
    for (let number = 1; number <= 4; number += 1) {
      await write(old, { count: number });
      await eventsOf(old, number);
    }
    const { items } = await read(old);
    const age = (ids: readonly string[]) =>
      server.dataSource.query(`UPDATE events SET occurred_at = occurred_at - interval '8 days' WHERE tenant_id = $1 AND number = ANY($2)`, [
        old.id,
        ids.map((id) => id.split('-')[0]),
      ]);
    await age(items.slice(0, 2).map(({ id }) => id));
    expect(await server.app.get(EventRetention).removeOld(signal)).toBeGreaterThanOrEqual(2);
    const ask = (after: string): Promise<ApiAnswer> => server.client().get(PATH, { query: { tenantId: old.id, after } });
    const refused = await ask(items[0].id);
    expect([refused.status, (refused.body as { oldestId: string }).oldestId]).toEqual([410, items[2].id]);
    expect((await ask(items[1].id)).as<Page>().items.map(({ id }) => id)).toEqual([items[2].id, items[3].id]);
    // A tenant in which nothing has happened for long: its reader has missed nothing.
    await age(items.slice(2).map(({ id }) => id));
    await server.app.get(EventRetention).removeOld(signal);
    expect((await ask(items[3].id)).as<Page>()).toEqual({ items: [], next: items[3].id });
    await write(old, { count: 5 });
    await eventually('the event is there', async () => (await read(old)).items.length === 1);
    expect((await ask(items[3].id)).as<Page>().items.map(({ data }) => data.count)).toEqual([5]);
  });

  it('takes the tenant of callers that have one', async () => {
    const { client } = await readingUser(tenant);
    expect((await client.get(PATH)).as<Page>().items.length).toBeGreaterThanOrEqual(5);
    const account = await accountWith(server, null, [TenantEventsRead, at.tenant(tenant)]);
    expect((await account.get(PATH)).status).toBe(400);
    expect((await account.get(PATH, { query: { tenantId: tenant.id } })).status).toBe(200);
    expect((await account.get(PATH, { query: { tenantId: other.id } })).status).toBe(403);
  });
});

describe('transactions that commit in another order than they wrote', () => {
  it('lose no event and show none before one that was read', async () => {
    const tenant = await createTenant(server);
    const slow = new Client(server.database.connection);
    await slow.connect();
    try {
      await slow.query('BEGIN');
      await write(tenant, { count: 1 }, null, slow);
      await write(tenant, { count: 2 });
      const [fast] = await eventsOf(tenant, 1);
      expect(fast.data.count).toBe(2);
      const { key } = await readingUser(tenant);
      const reader = await follow(key, `?after=${fast.id}`);
      await slow.query('COMMIT');
      expect((await reader.received(1))[0].data.count).toBe(1);
      expect((await read(tenant, { after: fast.id })).items.map(({ data }) => data.count)).toEqual([1]);
      expect((await read(tenant)).items.map(({ data }) => data.count)).toEqual([2, 1]);
    } finally {
      await slow.end();
    }
  });

  it('are read once each by a reader that goes on from id to id, whatever the order', async () => {
    const tenant = await createTenant(server);
    const { key } = await readingUser(tenant);
    const reader = await follow(key);
    const clients = await Promise.all(
      Array.from({ length: 8 }, async () => {
        const client = new Client(server.database.connection);
        await client.connect();
        return client;
      }),
    );
    const perClient = 20;
    await Promise.all(
      clients.map(async (client, number) => {
        for (let turn = 0; turn < perClient; turn += 1) {
          await client.query('BEGIN');
          await write(tenant, { count: number * perClient + turn }, null, client);
          await client.query('SELECT pg_sleep(random() * 0.02)');
          await client.query(turn % 7 === 6 ? 'ROLLBACK' : 'COMMIT');
        }
        await client.end();
      }),
    );
    const expected = Array.from({ length: clients.length * perClient }, (_, number) => number).filter(
      (number) => (number % perClient) % 7 !== 6,
    );
    const events = await reader.received(expected.length);
    expect(events.map(({ data }) => Number(data.count)).toSorted((a, b) => a - b)).toEqual(expected);
    const numbers = events.map(({ id }) => Number(id.split('-')[0]));
    expect(numbers).toEqual(expected.map((_, index) => index + 1));
  });
});

describe('a stream of events', () => {
  it('begins behind Last-Event-ID, sends what comes, and is not cached or compressed', async () => {
    const tenant = await createTenant(server);
    const { key } = await readingUser(tenant);
    await write(tenant, { count: 1 });
    await write(tenant, { count: 2 });
    const [first] = await eventsOf(tenant, 2);
    const reader = await follow(key, '', { 'last-event-id': first.id, 'accept-encoding': 'br, gzip' });
    expect([reader.status, reader.response.headers['content-type'], reader.response.headers['content-encoding']]).toEqual([
      200,
      'text/event-stream; charset=utf-8',
      undefined,
    ]);
    await reader.received(1);
    await write(tenant, { count: 3 });
    const events = await reader.received(2);
    expect(events.map(({ data }) => data.count)).toEqual([2, 3]);
    reader.close();
    await write(tenant, { count: 4 });
    const resumed = await follow(key, '', { 'last-event-id': reader.lastId });
    expect((await resumed.received(1)).map(({ data }) => data.count)).toEqual([4]);
  });

  it('sends comments while nothing happens', async () => {
    const tenant = await createTenant(server);
    const { key } = await readingUser(tenant);
    const reader = await follow(key);
    await eventually('a comment has come', () => reader.comments > 0);
  });

  it('tells of ids that the reader may not see, so that it need not look at them again', async () => {
    const tenant = await createTenant(server);
    const hidden = await createDevice(server, { tenantId: tenant.id });
    const { key } = await readingUser(tenant, [TenantEventsRead]);
    for (let number = 0; number < 3; number += 1) await write(tenant, {}, hidden.id);
    await write(tenant, { count: 9 });
    await eventsOf(tenant, 4);
    const reader = await follow(key, '?wait=0');
    await reader.ended();
    expect(reader.events.map(({ data }) => data.count)).toEqual([9]);
    expect(reader.lastId).toBe((await read(tenant)).next);
  });

  it('answers refusals as such: malformed, of another tenant, removed', async () => {
    const tenant = await createTenant(server);
    const { key } = await readingUser(tenant);
    expect((await follow(key, '?after=x')).status).toBe(400);
    expect((await follow(key, '?after=1-00000000')).status).toBe(404);
    expect((await follow(key, '', { 'last-event-id': 'x' })).status).toBe(400);
  });
});

describe('rights to events', () => {
  const tenant = testTenant(server);
  let visible: Device;
  let hidden: Device;

  beforeAll(async () => {
    visible = await createDevice(server, { tenantId: tenant.id });
    hidden = await createDevice(server, { tenantId: tenant.id });
  });

  it('show events of devices that the reader may read, and no others', async () => {
    const { user, client } = await readingUser(tenant, [TenantEventsRead]);
    await grant(server, { principal: holder.user(user), permission: DeviceRead, scope: at.device(visible) });
    const { next } = await read(tenant);
    await write(tenant, { count: 1 }, visible.id);
    await write(tenant, { count: 2 }, hidden.id);
    await write(tenant, { count: 3 });
    const query = next === null ? {} : { after: next };
    await eventually('all are there', async () => (await read(tenant, query)).items.length === 3);
    expect((await read(tenant, query, client)).items.map(({ data }) => data.count)).toEqual([1, 3]);
    expect((await read(tenant, { before: 'latest', limit: 2 }, client)).items.map(({ data }) => data.count)).toEqual([3, 1]);
  });

  it('hide events of deleted devices from readers to whom a group or customer is denied', async () => {
    const { user, client } = await readingUser(tenant);
    const deleted = await createDevice(server, { tenantId: tenant.id });
    const group = await createDeviceGroup(server, { tenantId: tenant.id, devices: [deleted] });
    const { next } = await read(tenant);
    const query = next === null ? {} : { after: next };
    await write(tenant, { count: 1 }, deleted.id);
    await server.client().delete(`/api/v1/devices/${deleted.id}`);
    await eventually('it is there', async () => (await read(tenant, query, client)).items.length === 1);
    await grant(server, {
      principal: holder.user(user),
      permission: DeviceRead,
      scope: at.deviceGroup(group),
      effect: PermissionEffect.Deny,
    });
    expect((await read(tenant, query, client)).items).toEqual([]);
  });

  it('are checked again while a stream lasts: a device that may no longer be read is left out', async () => {
    const { user, key } = await readingUser(tenant, [TenantEventsRead]);
    const right = await grant(server, { principal: holder.user(user), permission: DeviceRead, scope: at.device(visible) });
    const { next } = await read(tenant);
    const reader = await follow(key, next === null ? '' : `?after=${next}`);
    await write(tenant, { count: 1 }, visible.id);
    await reader.received(1);
    await server.client().delete(`/api/v1/permission-assignments/${right.id}`, { query: { tenantId: tenant.id } });
    await write(tenant, { count: 2 }, visible.id);
    await write(tenant, { count: 3 });
    const events = await reader.received(3);
    expect(events.map(({ kind, data }) => (kind === 'permission.changed' ? kind : data.count))).toEqual([1, 'permission.changed', 3]);
  });

  it.each<[string, (reader: Awaited<ReturnType<typeof readingUser>>) => Promise<unknown>, number]>([
    [
      'the permission is taken away',
      async ({ user }) => {
        const rights = await server.dataSource.manager.findBy(PermissionAssignment, {
          principalId: user.id,
          permissionName: TenantEventsRead.name,
        });
        const query = { tenantId: tenant.id };
        for (const { id } of rights) await server.client().delete(`/api/v1/permission-assignments/${id}`, { query });
      },
      403,
    ],
    [
      'the token is revoked',
      ({ token }) => server.dataSource.manager.update(PersonalAccessToken, { id: token.id }, { revokedAt: new Date() }),
      401,
    ],
  ])('end a stream and a wait when %s', async (_what, revoke, status) => {
    const who = await readingUser(tenant);
    const { next } = await read(tenant);
    const reader = await follow(who.key, next === null ? '' : `?after=${next}`);
    const waiting = who.client.get(PATH, { query: { after: next ?? undefined, wait: 55, kinds: 'device.online' } });
    await eventually('both wait', () => readersWaiting() >= 2);
    await revoke(who);
    await reader.ended();
    expect((await waiting).status).toBe(status);
    expect((await follow(who.key)).status).toBe(status);
  });

  it('allow an account ten readers at once', async () => {
    const { key, client } = await readingUser(tenant);
    for (let number = 0; number < 10; number += 1) expect((await follow(key)).status).toBe(200);
    expect((await follow(key)).status).toBe(503);
    expect((await client.get(PATH, { query: { wait: 1 } })).status).toBe(503);
    // Reading without waiting is no reader.
    expect((await client.get(PATH)).status).toBe(200);
    readers[0].close();
    await eventually('there is room again', async () => (await follow(key)).status === 200);
  });
});

async function absenceOf(deviceId: string): Promise<void> {
  await eventually('the device is away', async () => {
    const rows = await server.dataSource.query<object[]>('SELECT 1 FROM device_absences WHERE device_id = $1', [deviceId]);
    return rows.length > 0;
  });
}

const readersWaiting = (): number => server.app.get(EventFeed).readerCount;
