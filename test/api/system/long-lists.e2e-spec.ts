import { once } from 'node:events';
import { request, type IncomingMessage, type ServerResponse } from 'node:http';

import { beforeAll, describe, expect, it, vi } from 'vitest';

import type { DeviceGroupDetailDto } from '../../../src/devices/device-groups/device-group.dto.js';
import type { TagResponseDto, TagsResponseDto } from '../../../src/devices/tags/tag.dto.js';
import { RightOfWay } from '../../../src/platform/common/concurrency/right-of-way.js';
import { newGuid } from '../../../src/platform/common/identifiers/guid.js';
import { poolOf } from '../../../src/platform/database/queries/read-rows.js';
import { ROOT_KEY } from '../../support/application/app.js';
import { settled } from '../../support/eventually.js';
import { testServer, testTenant } from '../../support/setup/test-server.js';

/** Devices of the tenant. All are in one group, have one tag, and were registered with one key. */
const DEVICES = 20_500;
/** Rows of every other list, more than the former limit of any list. */
const ROWS = 10_050;

interface Listed {
  readonly items: readonly Readonly<Record<string, unknown>>[];
}

describe('lists of many thousand items', () => {
  const server = testServer();
  const { id: tenantId } = testTenant(server);
  const ids = { group: newGuid(), tag: newGuid(), key: newGuid(), user: newGuid(), userGroup: newGuid(), account: newGuid() };

  beforeAll(fill);

  /** Stores many rows for each list. Names follow the order of creation, and neighbours share their time of creation. */
  async function fill(): Promise<void> {
    const run = (sql: string, ...parameters: unknown[]): Promise<unknown> => server.dataSource.query(sql, parameters);
    // Without triggers: they would notify caches of 20,000 changes and write each device again.
    const triggered = ['device_group_members', 'device_tags', 'user_group_members', 'permission_assignments'];
    for (const table of triggered) await run(`ALTER TABLE ${table} DISABLE TRIGGER USER`);
    // Nothing is searched here.
    await run('ALTER TABLE devices DISABLE TRIGGER device_search_text_on_insert');
    const numbers = (count: number): string => `generate_series(1, ${count}) n`;
    const time = `'2026-01-01T00:00:00Z'::timestamptz + (n / 3) * interval '1 microsecond'`;
    const name = `'Name ' || lpad(n::text, 6, '0')`;
    for (const table of ['customers', 'device_groups', 'user_groups', 'tags']) {
      const [column, value] = table === 'tags' ? [', type', `, 'Permission'`] : ['', ''];
      await run(
        `INSERT INTO ${table} (id, tenant_id, name, created_at${column}) SELECT gen_random_uuid(), $1, ${name}, ${time}${value} FROM ${numbers(ROWS)}`,
        tenantId,
      );
    }
    // Long aliases, so that the list does not fit into the buffers of a connection.
    await run(
      `INSERT INTO devices (id, tenant_id, customer_id, name, alias, created_at)
       SELECT gen_random_uuid(), $1, (SELECT id FROM customers LIMIT 1), 'device ' || n % 1000, repeat('\u{1F4BB}', 100), ${time} FROM ${numbers(DEVICES)}`,
      tenantId,
    );
    await run(`INSERT INTO device_groups (id, tenant_id, name) VALUES ($2, $1, 'All devices')`, tenantId, ids.group);
    await run('INSERT INTO device_group_members (device_group_id, device_id) SELECT $1, id FROM devices', ids.group);
    await run(`INSERT INTO tags (id, tenant_id, name, type) VALUES ($2, $1, 'all devices', 'Permission')`, tenantId, ids.tag);
    await run('INSERT INTO device_tags (tag_id, device_id) SELECT $1, id FROM devices', ids.tag);
    await run(
      `INSERT INTO users (id, tenant_id, user_name, normalized_user_name, security_stamp)
       SELECT CASE n WHEN 1 THEN $2 ELSE gen_random_uuid() END, $1, 'user' || n, 'USER' || n, gen_random_uuid() FROM ${numbers(ROWS)}`,
      tenantId,
      ids.user,
    );
    await run(`INSERT INTO user_groups (id, tenant_id, name) VALUES ($2, $1, 'All users')`, tenantId, ids.userGroup);
    await run('INSERT INTO user_group_members (user_group_id, user_id) SELECT $1, id FROM users', ids.userGroup);
    await run(
      `INSERT INTO invites (id, tenant_id, invitee_email, user_id, hashed_activation_code, created_at)
       SELECT gen_random_uuid(), $1, 'invitee' || n || '@example.org', $2, '\\x00', ${time} FROM ${numbers(ROWS)}`,
      tenantId,
      ids.user,
    );
    await run(
      `INSERT INTO personal_access_tokens (id, user_id, name, hashed_secret, created_at)
       SELECT gen_random_uuid(), $1, ${name}, '\\x00', ${time} FROM ${numbers(ROWS)}`,
      ids.user,
    );
    await run(
      `INSERT INTO installer_keys (id, tenant_id, creator_id, creator_kind, key_type, hashed_secret, created_at)
       SELECT CASE n WHEN 1 THEN $2 ELSE gen_random_uuid() END, $1, $3, 'User', 'Persistent', '\\x00', ${time} FROM ${numbers(ROWS)}`,
      tenantId,
      ids.key,
      ids.user,
    );
    await run(
      `INSERT INTO installer_key_usages (id, tenant_id, installer_key_id, device_id, created_at)
       SELECT gen_random_uuid(), $1, $2, id, now() FROM devices`,
      tenantId,
      ids.key,
    );
    await run(
      `INSERT INTO service_accounts (id, tenant_id, kind, name)
       SELECT CASE n WHEN 1 THEN $2 ELSE gen_random_uuid() END, $1, 'Tenant', ${name} FROM ${numbers(ROWS)}`,
      tenantId,
      ids.account,
    );
    await run(
      `INSERT INTO service_account_credentials (id, service_account_id, name, hashed_secret)
       SELECT gen_random_uuid(), id, 'Credential', '\\x00' FROM service_accounts WHERE tenant_id = $1`,
      tenantId,
    );
    await run(
      `INSERT INTO permission_assignments (id, principal_kind, principal_id, permission_name, effect, scope_kind, scope_id, owning_tenant_id)
       SELECT gen_random_uuid(), 'ServiceAccount', $2, 'device.read', 'Allow', 'Device', id, $1 FROM devices`,
      tenantId,
      ids.account,
    );
    await run(`INSERT INTO service_accounts (id, kind, name) SELECT gen_random_uuid(), 'Server', ${name} FROM ${numbers(ROWS)}`);
    await run(`INSERT INTO tenants (id, name) SELECT gen_random_uuid(), ${name} FROM ${numbers(ROWS)}`);
    for (const table of triggered) await run(`ALTER TABLE ${table} ENABLE TRIGGER USER`);
    await run('ANALYZE');
  }

  const get = async <T>(path: string, query: Record<string, string> = {}): Promise<T> =>
    (await server.client().get(path, { query: { tenantId, ...query } })).as<T>();

  /** Checks that all items are present once, in the order of a member. */
  function expectWhole(items: readonly Readonly<Record<string, unknown>>[], count: number, member: string, by: 'up' | 'down'): void {
    const key = items[0]?.['deviceId'] === undefined ? (items[0]?.['userId'] === undefined ? 'id' : 'userId') : 'deviceId';
    expect([items.length, new Set(items.map((item) => item[key])).size]).toEqual([count, count]);
    const values = items.map((item) => String(item[member]).toLowerCase());
    const { compare } = new Intl.Collator('en');
    const wrong = values.findIndex((value, n) => n > 0 && compare(values[n - 1], value) * (by === 'up' ? 1 : -1) > 0);
    expect(wrong === -1 ? null : values.slice(wrong - 1, wrong + 1)).toBeNull();
  }

  it.each<[string, () => readonly [string, Record<string, string>?], number, string, 'up' | 'down']>([
    ['customers', () => ['/api/v1/customers'], ROWS, 'name', 'up'],
    ['device groups', () => ['/api/v1/device-groups'], ROWS + 1, 'name', 'up'],
    ['user groups', () => ['/api/v1/user-groups'], ROWS + 1, 'name', 'up'],
    ['tags', () => ['/api/v1/tags'], ROWS + 1, 'name', 'up'],
    ['users', () => ['/api/v1/users'], ROWS, 'userName', 'up'],
    ['invites', () => ['/api/v1/invites'], ROWS, 'createdAt', 'down'],
    ['installer keys', () => ['/api/v1/installer-keys'], ROWS, 'createdAt', 'up'],
    ['uses of an installer key', () => [`/api/v1/installer-keys/${ids.key}/usages`], DEVICES, 'timestamp', 'down'],
    ['tokens of a user', () => [`/api/v1/users/${ids.user}/personal-access-tokens`], ROWS, 'createdAt', 'down'],
    ['service accounts of a tenant', () => [`/api/v1/tenant-service-accounts/${tenantId}`], ROWS, 'name', 'up'],
    ['service accounts of the server', () => ['/api/v1/server-service-accounts'], ROWS + 1, 'name', 'up'],
    [
      'assignments of a principal',
      () => ['/api/v1/permission-assignments', { principalKind: 'ServiceAccount', principalId: ids.account }],
      DEVICES,
      'id',
      'up',
    ],
    ['tenants', () => ['/api/v1/tenants'], ROWS + 1, 'name', 'up'],
  ])('hold all %s, in order', async (_what, call, count, member, by) => {
    const [path, query] = call();
    expectWhole((await get<Listed>(path, query)).items, count, member, by);
  });

  it('contain all members of a device group and of a user group, in order', async () => {
    const devices = await get<{ readonly members: Listed['items'] }>(`/api/v1/device-groups/${ids.group}`);
    expectWhole(devices.members, DEVICES, 'deviceName', 'up');
    const users = await get<{ readonly members: Listed['items'] }>(`/api/v1/user-groups/${ids.userGroup}`);
    expectWhole(users.members, ROWS, 'userName', 'up');
  });

  it('contain all devices of a tag, in its own answer and among many tags', async () => {
    const tag = await get<TagResponseDto>(`/api/v1/tags/${ids.tag}`);
    expect([tag.deviceIds.length, new Set(tag.deviceIds).size]).toEqual([DEVICES, DEVICES]);
    const { items } = await get<TagsResponseDto>('/api/v1/tags', { includeLinkedIds: 'true' });
    expect(items).toHaveLength(ROWS + 1);
    expect(items.find(({ id }) => id === ids.tag)).toEqual(tag);
    expect(items.filter(({ deviceIds }) => deviceIds.length > 0)).toHaveLength(1);
  });

  it('contain the credentials of each service account', async () => {
    const { items } = await get<Listed>(`/api/v1/tenant-service-accounts/${tenantId}`);
    expect(items.every(({ credentials }) => Array.isArray(credentials) && credentials.length === 1)).toBe(true);
  });

  it('are complete in answers to changes as well', async () => {
    const query = { tenantId };
    const renamed = await server.client().put(`/api/v1/device-groups/${ids.group}`, { query, body: { name: 'All of them' } });
    expect(renamed.as<DeviceGroupDetailDto>().members).toHaveLength(DEVICES);
  });

  it('read members with an index in their order, never all of them for one page', async () => {
    const { manager } = server.dataSource;
    const query = vi.spyOn(poolOf(manager), 'query');
    await get(`/api/v1/device-groups/${ids.group}`);
    const calls = query.mock.calls as unknown as [string, unknown[]][];
    query.mockRestore();
    const [sql, parameters] = calls.filter(([text]) => text.includes('list_key'))[1] ?? [];
    const plan = JSON.stringify(await manager.query(`EXPLAIN (FORMAT JSON) ${sql}`, parameters));
    expect(plan).toContain('ix_devices_tenant_id_lower_name_created_at_id');
    expect(plan).not.toContain('"Node Type":"Sort"');
  });

  /** Sends a request without reading the answer; returns both ends of the exchange. */
  async function open(path: string, headers: Record<string, string>): Promise<{ received: IncomingMessage; sent: ServerResponse }> {
    const sending = new Promise<ServerResponse>((resolve) => {
      server.app.getHttpServer().once('request', (_request: IncomingMessage, response: ServerResponse) => resolve(response));
    });
    const asking = request(new URL(`${path}?tenantId=${tenantId}`, server.url), {
      headers: { 'x-api-key': ROOT_KEY, ...headers },
      agent: false,
    });
    asking.end();
    const [received] = (await once(asking, 'response')) as [IncomingMessage];
    return { received, sent: await sending };
  }

  it.each(['/api/v1/devices', '/api/v1/devices/summary'])('wait at %s for device updates between pages, but not for ever', async (path) => {
    const rightOfWay = server.app.get(RightOfWay);
    const give = vi.spyOn(rightOfWay, 'give');
    rightOfWay.begin();
    try {
      const items = await get<Listed['items']>(path);
      expect(new Set(items.map(({ id }) => id)).size).toBe(DEVICES);
      expect(give.mock.calls.length).toBeGreaterThan(DEVICES / 1_000);
      expect(Math.min(...give.mock.calls.map(([atMostMs]) => atMostMs))).toBeGreaterThan(0);
    } finally {
      rightOfWay.end();
      give.mockRestore();
    }
  });

  it('are read no faster than the client reads, and no further when it disconnects', async () => {
    const query = vi.spyOn(poolOf(server.dataSource.manager), 'query');
    // The service asks for other things in between.
    const pages = (): number => (query.mock.calls as unknown as [string][]).filter(([sql]) => sql.includes('list_key')).length;
    try {
      const { received, sent } = await open(`/api/v1/device-groups/${ids.group}`, {});
      const before = await settled('the number of pages', () => (sent.writableNeedDrain ? pages() : Number.NaN));
      expect(before).toBeGreaterThan(0);
      expect(before).toBeLessThan(DEVICES / 500);
      const gone = once(sent, 'close');
      received.destroy();
      await gone;
      expect((await server.client().get('/alive')).status).toBe(200);
      expect(pages()).toBe(before);
    } finally {
      query.mockRestore();
    }
  });
});
