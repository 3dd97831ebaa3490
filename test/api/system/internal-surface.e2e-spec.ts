import { beforeAll, describe, expect, it } from 'vitest';

import { Permission } from '../../../src/access/authorization/permissions/permission.js';
import { PermissionAssignment } from '../../../src/access/permission-assignments/permission-assignment.entity.js';
import type { CreateInstallerKeyResponseDto } from '../../../src/devices/installer-keys/installer-key.dto.js';
import type { TagResponseDto } from '../../../src/devices/tags/tag.dto.js';
import type { LogonTokenResponseDto } from '../../../src/people/logon-tokens/logon-token.dto.js';
import type { CreatePersonalAccessTokenResponseDto } from '../../../src/people/personal-access-tokens/personal-access-token.dto.js';
import { newGuid } from '../../../src/platform/common/identifiers/guid.js';
import type { ApiAnswer, ApiClient } from '../../support/application/api-client.js';
import { accountWith, callingUser, wrongFieldsOf, type CallingUser } from '../../support/callers/callers.js';
import { at, createDevice } from '../../support/fixtures/factories.js';
import { testServer, testTenant } from '../../support/setup/test-server.js';

/* Differences of the internal routes from their twins of version 1. */

const server = testServer({ Service_AppOptions__DisableEmailSending: 'true' });
const home = testTenant(server);
const other = testTenant(server);
let caller: CallingUser;
let client: ApiClient;

beforeAll(async () => {
  const { TenantTagsWrite, TenantUsersRead, TenantUsersWrite, InstallerKeyRead, InstallerKeyWrite, ServerSettingsWrite } = Permission;
  const { PersonalAccessTokenSelfRead, PersonalAccessTokenSelfWrite, DeviceRead, DeviceTagsWrite, DeviceLogonTokenCreate } = Permission;
  caller = await callingUser(server, home, [
    TenantTagsWrite,
    TenantUsersRead,
    TenantUsersWrite,
    Permission.TenantUsersDelete,
    InstallerKeyRead,
    InstallerKeyWrite,
    ServerSettingsWrite,
    PersonalAccessTokenSelfRead,
    PersonalAccessTokenSelfWrite,
    DeviceRead,
    Permission.DeviceDelete,
    DeviceTagsWrite,
    DeviceLogonTokenCreate,
    Permission.DeviceFileSystemRead,
  ]);
  client = caller.client;
});

const newTag = async (name = newGuid()): Promise<TagResponseDto> =>
  (await client.post('/api/tags', { body: { name } })).as<TagResponseDto>();

/** Status, media type and text of an answer. */
const formOf = ({ status, headers, text }: ApiAnswer): unknown[] => [status, headers.get('content-type'), text];
const TEXT = 'text/plain; charset=utf-8';

describe('groups without an internal surface', () => {
  it.each([
    'permission-assignments',
    'effective-permissions',
    'authorization-change-logs',
    'user-groups',
    'device-groups',
    'customers',
    'tenant-service-accounts',
    'server-service-accounts',
    'deployment-options',
    'tenants',
    'unknown',
  ])('answer 404 at /api/%s, whatever the verb and the caller', async (group) => {
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
      for (const path of [`/api/${group}`, `/api/${group}/${newGuid()}`]) {
        const answers = await Promise.all([client, server.client(), server.client({})].map((one) => one.call(method, path, { body: {} })));
        for (const answer of answers)
          expect([path, method, answer.status, answer.body]).toEqual([path, method, 404, expect.objectContaining({ status: 404 })]);
      }
    }
  });
});

describe('the tenant', () => {
  it("is the caller's, whatever the request says", async () => {
    const tag = await newTag();
    const answer = await client.get('/api/tags', { query: { tenantId: other.id } });
    expect(answer.as<TagResponseDto[]>().map(({ id }) => id)).toContain(tag.id);
    const stranger = await accountWith(server, other, [Permission.TenantTagsWrite, at.tenant(other)]);
    expect((await stranger.get('/api/tags', { query: { tenantId: home.id } })).body).toEqual([]);
    expect((await stranger.delete(`/api/tags/${tag.id}`)).status).toBe(404);
  });

  it('of a key is that of its creator', async () => {
    const body = { tenantId: other.id, keyType: 'Persistent', friendlyName: 'Key' };
    const { id } = (await client.post('/api/installer-keys', { body })).as<CreateInstallerKeyResponseDto>();
    const [row] = await server.dataSource.query<{ tenant_id: string }[]>('SELECT tenant_id FROM installer_keys WHERE id = $1', [id]);
    expect(row.tenant_id).toBe(home.id);
  });

  it('of no caller: a service account of the server deletes no devices', async () => {
    const device = await createDevice(server, { tenantId: home.id });
    expect((await server.client().post('/api/devices/delete-many', { body: { deviceIds: [device.id] } })).status).toBe(403);
    const answer = await client.post('/api/devices/delete-many', { body: { deviceIds: [device.id, newGuid()] } });
    expect(answer.body).toEqual({ successIds: [device.id], failureIds: [expect.any(String)] });
  });
});

describe('lists', () => {
  it.each(['tags', 'users', 'installer-keys', 'personal-access-tokens'])('are arrays: /api/%s', async (list) => {
    const [internal, v1] = [await client.get(`/api/${list}`), await client.get(`/api/v1/${list}`, { query: { tenantId: home.id } })];
    expect(internal.status).toBe(200);
    expect({ items: internal.body }).toEqual(v1.body);
  });

  it('are arrays when they are empty', async () => {
    const stranger = await accountWith(server, other);
    expect(formOf(await stranger.get('/api/tags'))).toEqual([200, 'application/json; charset=utf-8', '[]']);
  });

  it('show the uses of a key at another path', async () => {
    const made = await client.post('/api/installer-keys', { body: { keyType: 'Persistent' } });
    const { id } = made.as<CreateInstallerKeyResponseDto>();
    expect(await client.get(`/api/installer-keys/usages/${id}`)).toMatchObject({ status: 200, body: [] });
    expect((await client.get(`/api/installer-keys/${id}/usages`)).status).toBe(404);
  });
});

describe('success', () => {
  it('of creating something is 200 without a Location', async () => {
    for (const [path, body] of [
      ['tags', { name: newGuid() }],
      ['personal-access-tokens', { name: newGuid() }],
    ] as const) {
      const answer = await client.post(`/api/${path}`, { body });
      expect([path, answer.status, answer.headers.get('location')]).toEqual([path, 200, null]);
    }
  });

  it('of deleting a token of one’s own is 200 with nothing', async () => {
    const made = await client.post('/api/personal-access-tokens', { body: { name: newGuid() } });
    const { personalAccessToken } = made.as<CreatePersonalAccessTokenResponseDto>();
    expect(formOf(await client.delete(`/api/personal-access-tokens/${personalAccessToken.id}`))).toEqual([200, null, '']);
  });
});

describe('bodies', () => {
  it('name the tag that is renamed', async () => {
    const [tag, name] = [await newTag(), newGuid()];
    expect(await client.put('/api/tags', { body: { tagId: tag.id, newTagName: name } })).toMatchObject({
      status: 200,
      body: { id: tag.id, name },
    });
    expect(wrongFieldsOf(await client.put('/api/tags', { body: { newTagName: '' } })).sort()).toEqual(['newTagName', 'tagId']);
  });

  it('name the key that is renamed, which can be deleted by its id', async () => {
    const { id } = (await client.post('/api/installer-keys', { body: { keyType: 'Persistent' } })).as<CreateInstallerKeyResponseDto>();
    expect((await client.put('/api/installer-keys/rename', { body: { id, friendlyName: 'Renamed' } })).status).toBe(204);
    const listed = (await client.get('/api/installer-keys')).as<{ id: string; friendlyName: string }[]>();
    expect(listed.find((key) => key.id === id)?.friendlyName).toBe('Renamed');
    expect((await client.delete(`/api/installer-keys/${id}`)).status).toBe(204);
    expect((await client.delete(`/api/installer-keys/${id}`)).status).toBe(404);
  });

  it('of searches may ask for too little, and for properties that there are not', async () => {
    const device = await createDevice(server, { tenantId: home.id });
    const body = {
      searchText: device.id,
      page: -3,
      pageSize: 0,
      filterDefinitions: [{ propertyName: 'unknown', operator: 'contains', value: 'x' }],
      sortDefinitions: [{ propertyName: 'unknown' }],
    };
    expect(await client.post('/api/devices/search', { body })).toMatchObject({
      status: 200,
      body: { totalItems: 1, items: [{ id: device.id }] },
    });
    expect((await client.post('/api/v1/devices/search', { body })).status).toBe(400);
    const wrong = { filterDefinitions: [{ propertyName: 'name', operator: 'unknown', value: 'x' }] };
    expect(wrongFieldsOf(await client.post('/api/devices/search', { body: wrong }))).toEqual(['filterDefinitions[0].operator']);
  });
});

describe('a logon token', () => {
  const create = (body: object, by = client): Promise<ApiAnswer> => by.post('/api/logon-tokens', { body });

  it('signs its creator in, with the permissions of its scopes', async () => {
    const device = await createDevice(server, { tenantId: home.id });
    const scopes = [{ permissionName: 'device.tags.write', scopeKind: 'Device', scopeId: null }];
    const { token, deviceAccessUrl } = (await create({ deviceId: device.id, scopes })).as<LogonTokenResponseDto>();
    expect(deviceAccessUrl).toBe(`/device-access?deviceId=${device.id}&logonToken=${token}`);
    const [row] = await server.dataSource.query<{ id: string; user_id: string }[]>(
      'SELECT id, user_id FROM logon_tokens WHERE device_id = $1',
      [device.id],
    );
    expect(row.user_id).toBe(caller.user.id);
    const granted = await server.dataSource.manager.findBy(PermissionAssignment, { principalId: row.id });
    expect(granted.map(({ permissionName, scopeId }) => `${permissionName} ${scopeId}`).sort()).toEqual([
      `device.read ${device.id}`,
      `device.tags.write ${device.id}`,
    ]);
  });

  it.each([
    ['another device', (): object => ({ permissionName: 'device.read', scopeKind: 'Device', scopeId: newGuid() }), 'scopes[0].scopeId'],
    ['a tenant', (): object => ({ permissionName: 'device.read', scopeKind: 'Tenant', scopeId: null }), 'scopes[0].scopeKind'],
    ['no permission', (): object => ({ scopeKind: 'Device', scopeId: null }), 'scopes[0].permissionName'],
    [
      'an unknown permission',
      (): object => ({ permissionName: 'unknown', scopeKind: 'Device', scopeId: null }),
      'scopes[0].permissionName',
    ],
  ])('has no scope on %s', async (_what, scope, field) => {
    const device = await createDevice(server, { tenantId: home.id });
    const answer = await create({ deviceId: device.id, scopes: [scope()] });
    expect([answer.status, wrongFieldsOf(answer)]).toEqual([400, [field]]);
  });

  it('is not made by a service account, which nobody can be signed in as', async () => {
    const device = await createDevice(server, { tenantId: home.id });
    const account = await accountWith(server, home, [Permission.DeviceLogonTokenCreate, at.tenant(home)]);
    expect(formOf(await create({ deviceId: device.id }, account))).toEqual([
      400,
      TEXT,
      'A logon token signs its creator in, which a service account cannot do.',
    ]);
  });
});

describe('failures', () => {
  it('are plain text where the contract says so', async () => {
    const [device, tag] = [await createDevice(server, { tenantId: home.id }), await newTag()];
    const onDevice = { deviceId: device.id };
    expect(formOf(await client.post('/api/device-tags', { body: { ...onDevice, tagId: newGuid() } }))).toEqual([
      404,
      TEXT,
      'The tag was not found.',
    ]);
    expect(formOf(await client.post('/api/device-tags', { body: { deviceId: newGuid(), tagId: tag.id } }))).toEqual([
      404,
      TEXT,
      'The device was not found.',
    ]);
    expect(formOf(await client.post('/api/device-file-system/root-drives', { body: onDevice }))).toEqual([
      409,
      TEXT,
      'The device is offline.',
    ]);
    expect(formOf(await client.delete(`/api/users/${caller.user.id}`))).toEqual([400, TEXT, expect.stringContaining('your own account')]);
  });

  it('have another status where the contract says so', async () => {
    const id = newGuid();
    expect(formOf(await client.delete(`/api/personal-access-tokens/${id}`))).toEqual([
      400,
      TEXT,
      'The personal access token was not found.',
    ]);
    const unknownDevice = await client.post('/api/device-file-system/path-segments', { body: { deviceId: id, targetPath: '/' } });
    expect(formOf(unknownDevice)).toEqual([400, TEXT, 'The device was not found.']);
    expect(formOf(await client.post('/api/test-email'))).toEqual([400, TEXT, expect.stringContaining('DisableEmailSending')]);
  });

  it('are never empty: the service fills them with Problem Details', async () => {
    for (const answer of [
      await client.put('/api/tags', { body: { tagId: newGuid(), newTagName: 'x' } }),
      await client.delete(`/api/users/${newGuid()}`),
    ]) {
      expect(answer).toMatchObject({ status: 404, body: { type: 'about:blank', title: 'Not found.', status: 404 } });
    }
  });

  it('are Problem Details everywhere if they name fields or come from the guard', async () => {
    const wrong = await client.post('/api/personal-access-tokens', { body: {} });
    expect([wrong.status, wrongFieldsOf(wrong)]).toEqual([400, ['name']]);
    for (const [status, answer] of [
      [401, await server.client({}).post('/api/users', { body: {} })],
      [403, await (await callingUser(server, home, [])).client.delete(`/api/users/${newGuid()}`)],
      [404, await client.delete('/api/users/no-guid')],
      [405, await client.patch('/api/users')],
      [415, await client.post('/api/users', { body: 'x', headers: { 'content-type': 'text/plain' } })],
    ] as const) {
      expect([answer.status, answer.headers.get('content-type')]).toEqual([status, 'application/problem+json; charset=utf-8']);
    }
  });
});

describe('cached answers', () => {
  it.each([
    ['public-server-settings', 'public, max-age=60'],
    ['version/server', 'public, max-age=60'],
    ['user-server-settings/file-upload-max-size', 'private, max-age=30'],
    ['user-server-settings/decommission-status', 'private, max-age=30'],
  ])('say so as in version 1: %s', async (path, cacheControl) => {
    const [internal, v1] = [await client.get(`/api/${path}`), await client.get(`/api/v1/${path}`)];
    expect([internal.status, internal.text]).toEqual([200, v1.text]);
    expect([internal.headers.get('cache-control'), v1.headers.get('cache-control')]).toEqual([cacheControl, cacheControl]);
  });
});
