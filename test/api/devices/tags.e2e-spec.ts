import { describe, expect, it } from 'vitest';

import { viewerHub } from '#libs/contracts';

import { Permission, PermissionEffect } from '../../../src/access/authorization/permissions/permission.js';
import { Device } from '../../../src/devices/devices/device.entity.js';
import { MAXIMUM_NAMED_DEVICES } from '../../../src/devices/devices/locked-devices.js';
import type { TagResponseDto, TagsResponseDto } from '../../../src/devices/tags/tag.dto.js';
import { DeviceTag, Tag, TagType } from '../../../src/devices/tags/tag.entity.js';
import { newGuid } from '../../../src/platform/common/identifiers/guid.js';
import type { Tenant } from '../../../src/tenants/tenants/tenant.entity.js';
import { TestViewer } from '../../hubs/viewer-client.js';
import type { ApiClient } from '../../support/application/api-client.js';
import { ROOT_KEY } from '../../support/application/app.js';
import { accountWith, changesOf, statusesOf, type Right } from '../../support/callers/callers.js';
import { eventually } from '../../support/eventually.js';
import {
  at,
  createDevice,
  createDeviceGroup,
  createPersonalAccessToken,
  createServiceAccountWithKey,
  createTenant,
  createUser,
  grant,
  holder,
} from '../../support/fixtures/factories.js';
import { testServer, testTenant } from '../../support/setup/test-server.js';

const PATH = '/api/v1/tags';
const DEVICE_TAGS = '/api/v1/device-tags';

describe('tags', () => {
  const server = testServer();
  const tenant = testTenant(server);
  const foreign = testTenant(server);

  const inTenant = (of: Tenant = tenant) => ({ query: { tenantId: of.id } });
  const create = (client: ApiClient, body: object) => client.post(PATH, { ...inTenant(), body });
  const caller = (...rights: readonly Right[]): Promise<ApiClient> => accountWith(server, tenant, ...rights);
  const logOf = (targetId: string) => changesOf(server, targetId);

  async function createTag(of: Tenant, values: Partial<Tag> = {}, ...devices: Pick<Device, 'id'>[]): Promise<Tag> {
    const tag = server.dataSource.manager.create(Tag, {
      id: newGuid(),
      tenantId: of.id,
      name: `Tag ${newGuid()}`.slice(0, 40),
      type: TagType.Permission,
      ...values,
    });
    await server.dataSource.manager.insert(Tag, tag);
    for (const { id } of devices) await server.dataSource.manager.insert(DeviceTag, { deviceId: id, tagId: tag.id });
    return tag;
  }

  async function tagsOf(deviceId: string): Promise<string[]> {
    return (await server.dataSource.manager.findBy(DeviceTag, { deviceId })).map(({ tagId }) => tagId);
  }

  describe('as a resource', () => {
    it.each([
      ['a control of writing direction', 'invoice\u202efdp.exe'],
      ['half a surrogate pair', `a${String.fromCharCode(0xd800)}`],
    ])('have no name with %s', async (_what, name) => {
      const answer = await create(server.client(), { name, type: 'Permission' });
      const errors = { name: [expect.stringContaining('must not contain controls of writing direction or broken characters')] };
      expect([answer.status, answer.body]).toEqual([400, expect.objectContaining({ errors })]);
    });

    it('that look the same have the same name', async () => {
      expect((await create(server.client(), { name: 'Bu\u0308ro', type: 'Permission' })).body).toMatchObject({ name: 'B\u00fcro' });
      expect((await create(server.client(), { name: 'B\u00fcro', type: 'Permission' })).status).toBe(409);
    });

    it('are created, read, renamed and deleted, each with an entry in the change log', async () => {
      const root = server.client();
      const answer = await create(root, { name: 'Laptop', type: 'permission' });
      expect(answer.status).toBe(201);
      const created = answer.as<TagResponseDto>();
      expect(created).toEqual({ id: expect.any(String), name: 'Laptop', type: 'Permission', deviceIds: [] });
      const path = `${PATH}/${created.id}`;
      expect((await root.get(path, inTenant())).body).toEqual(created);

      const device = await createDevice(server, { tenantId: tenant.id });
      await server.dataSource.manager.insert(DeviceTag, { deviceId: device.id, tagId: created.id });
      const renamed = await root.put(path, { ...inTenant(), body: { name: 'Notebook', type: 'Unknown' } });
      expect([renamed.status, renamed.body]).toEqual([200, { ...created, name: 'Notebook', deviceIds: [device.id] }]);
      expect((await root.get(path, inTenant())).body).toEqual(renamed.body);

      expect((await root.delete(path, inTenant())).status).toBe(204);
      expect((await root.get(path, inTenant())).status).toBe(404);
      expect((await root.delete(path, inTenant())).status).toBe(404);
      expect((await root.get(`/api/v1/devices/${device.id}`)).body).toMatchObject({ tagIds: null });
      expect(await server.dataSource.manager.findOneByOrFail(Device, { id: device.id })).toMatchObject({ isTagged: false });
      expect(await logOf(created.id)).toEqual([
        { action: 'tag-created', before: null, after: { name: 'Laptop', type: 'Permission' } },
        {
          action: 'tag-renamed',
          before: { name: 'Laptop', type: 'Permission' },
          after: { name: 'Notebook', type: 'Permission' },
        },
        {
          action: 'tag-deleted',
          before: { name: 'Notebook', type: 'Permission', deviceCount: 1, deviceIds: [device.id] },
          after: null,
        },
      ]);
      const log = await root.get('/api/v1/authorization-change-logs', { query: { tenantId: tenant.id, searchText: created.id } });
      expect(log.body).toMatchObject({ totalItems: 3 });
    });

    it.each([
      ['by name', { type: 'Permission' }, 'Permission'],
      ['by number', { type: 1 }, 'Permission'],
      ['as Unknown', { type: 'Unknown' }, 'Unknown'],
      ['as 0', { type: 0 }, 'Unknown'],
      ['not at all', {}, 'Unknown'],
    ])('take their type %s', async (_how, body, type) => {
      expect((await create(server.client(), { name: newGuid(), ...body })).body).toMatchObject({ type });
    });

    it.each([['Other'], [2], [-1], [true]])('cannot have the type %p', async (type) => {
      const answer = await create(server.client(), { name: newGuid(), type });
      expect([answer.status, answer.body]).toEqual([400, expect.objectContaining({ errors: { type: [expect.any(String)] } })]);
    });

    it('have unique names in a tenant', async () => {
      const root = server.client();
      await create(root, { name: 'Twice' });
      const second = await create(root, { name: 'Twice' });
      expect([second.status, second.body]).toEqual([409, expect.objectContaining({ detail: 'A tag with this name already exists.' })]);
      const other = await createTag(tenant);
      expect((await root.put(`${PATH}/${other.id}`, { ...inTenant(), body: { name: 'Twice' } })).status).toBe(409);
      expect((await root.post(PATH, { ...inTenant(foreign), body: { name: 'Twice' } })).status).toBe(201);
    });

    it('are created once when parallel calls use the same name', async () => {
      const answers = await Promise.all(Array.from({ length: 8 }, () => create(server.client(), { name: 'At once' })));
      expect(statusesOf(answers)).toEqual([201, ...Array.from({ length: 7 }, () => 409)]);
    });
  });

  describe('as a list', () => {
    it('are listed by name regardless of case, to every caller in the tenant', async () => {
      const home = await createTenant(server);
      for (const name of ['b', 'A', 'C', 'a']) await createTag(home, { name });
      await createTag(foreign, { name: 'AA' });
      const { key } = await createServiceAccountWithKey(server, { tenantId: home.id });
      const { items } = (await server.client({ 'x-api-key': key }).get(PATH, inTenant(home))).as<TagsResponseDto>();
      expect(items.map(({ name }) => name.toLowerCase())).toEqual(['a', 'a', 'b', 'c']);
      expect(items.map(({ deviceIds }) => deviceIds)).toEqual([[], [], [], []]);
    });

    it('show the devices that the caller may read, on request', async () => {
      const home = await createTenant(server);
      const readable = await createDevice(server, { tenantId: home.id });
      const denied = await createDevice(server, { tenantId: home.id });
      const outside = await createDevice(server, { tenantId: home.id });
      const group = await createDeviceGroup(server, { tenantId: home.id, devices: [readable, denied] });
      const tag = await createTag(home, {}, readable, denied, outside);
      const rights: Right[] = [
        [Permission.DeviceRead, at.deviceGroup(group)],
        [Permission.DeviceRead, at.device(denied), PermissionEffect.Deny],
      ];
      const reader = await accountWith(server, home, ...rights);
      const nobody = await accountWith(server, home);
      const all = [readable.id, denied.id, outside.id].sort();
      const idsFor = async (client: ApiClient, includeLinkedIds?: string) => {
        const answer = await client.get(PATH, { query: { tenantId: home.id, includeLinkedIds } });
        return answer.as<TagsResponseDto>().items.map(({ deviceIds }) => deviceIds.toSorted());
      };
      for (const [client, visible] of [
        [reader, [readable.id]],
        [nobody, []],
        [server.client(), all],
      ] as const) {
        expect(await idsFor(client)).toEqual([[]]);
        expect(await idsFor(client, 'false')).toEqual([[]]);
        expect(await idsFor(client, 'True')).toEqual([visible]);
        const one = (await client.get(`${PATH}/${tag.id}`, inTenant(home))).as<TagResponseDto>();
        expect(one.deviceIds.toSorted()).toEqual(visible);
      }
      expect((await server.client().get(PATH, { query: { tenantId: home.id, includeLinkedIds: 'maybe' } })).status).toBe(400);

      const renamer = await accountWith(server, home, ...rights, [Permission.TenantTagsWrite, at.tenant(home)]);
      const renamed = await renamer.put(`${PATH}/${tag.id}`, { ...inTenant(home), body: { name: 'renamed' } });
      expect(renamed.body).toMatchObject({ name: 'renamed', deviceIds: [readable.id] });
    });

    it('show a restricted token only devices that both it and its owner may read', async () => {
      const home = await createTenant(server);
      const [both, ofOwner] = [await createDevice(server, { tenantId: home.id }), await createDevice(server, { tenantId: home.id })];
      await createTag(home, {}, both, ofOwner);
      const user = await createUser(server, { tenantId: home.id });
      const { token, key } = await createPersonalAccessToken(server, user);
      await grant(server, { principal: holder.user(user), permission: Permission.DeviceRead, scope: at.tenant(home) });
      await grant(server, { principal: holder.personalAccessToken(token), permission: Permission.DeviceRead, scope: at.device(both) });
      const client = server.client({ 'x-personal-token': key });
      const { items } = (await client.get(PATH, { query: { tenantId: home.id, includeLinkedIds: true } })).as<TagsResponseDto>();
      expect(items.map(({ deviceIds }) => deviceIds)).toEqual([[both.id]]);
    });
  });

  describe('on devices', () => {
    const tagDevice = (client: ApiClient, deviceId: unknown, tagId: unknown, of: Tenant = tenant) =>
      client.post(DEVICE_TAGS, { ...inTenant(of), body: { deviceId, tagId } });
    const untag = (client: ApiClient, deviceId: string, tagId: string) => client.delete(`${DEVICE_TAGS}/${deviceId}/${tagId}`, inTenant());

    it('are added once and removed once, even if a call is repeated', async () => {
      const [tag, other] = [await createTag(tenant), await createTag(tenant)];
      const device = await createDevice(server, { tenantId: tenant.id });
      const root = server.client();
      expect([(await tagDevice(root, device.id.toUpperCase(), tag.id)).status, (await tagDevice(root, device.id, tag.id)).status]).toEqual([
        204, 204,
      ]);
      expect(await tagsOf(device.id)).toEqual([tag.id]);
      expect((await root.get(`/api/v1/devices/${device.id}`)).body).toMatchObject({ tagIds: [tag.id] });
      expect((await untag(root, device.id, other.id)).status).toBe(204);
      expect([(await untag(root, device.id, tag.id)).status, (await untag(root, device.id, tag.id)).status]).toEqual([204, 204]);
      expect(await tagsOf(device.id)).toEqual([]);
      expect(await logOf(device.id)).toEqual([
        { action: 'device-tag-added', before: null, after: { tagId: tag.id, name: tag.name } },
        { action: 'device-tag-removed', before: { tagId: tag.id, name: tag.name }, after: null },
      ]);
    });

    it('are added once by parallel calls', async () => {
      const tags = await Promise.all(Array.from({ length: 4 }, () => createTag(tenant)));
      const device = await createDevice(server, { tenantId: tenant.id });
      const answers = await Promise.all([...tags, ...tags, ...tags].map(({ id }) => tagDevice(server.client(), device.id, id)));
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([204]));
      expect((await tagsOf(device.id)).sort()).toEqual(tags.map(({ id }) => id).sort());
      expect((await logOf(device.id)).length).toBe(tags.length);
    });

    it('are removed from many devices in several transactions when they are deleted', async () => {
      const tag = await createTag(tenant);
      const ids = Array.from({ length: 2 * MAXIMUM_NAMED_DEVICES + 1 }, newGuid).sort();
      await server.dataSource.query(`INSERT INTO devices (id, tenant_id, name) SELECT unnest($1::uuid[]), $2, 'many'`, [ids, tenant.id]);
      await server.dataSource.query('INSERT INTO device_tags (device_id, tag_id) SELECT unnest($1::uuid[]), $2', [ids, tag.id]);
      expect((await server.client().delete(`${PATH}/${tag.id}`, inTenant())).status).toBe(204);
      const writes = await server.dataSource.query<{ is_tagged: boolean; count: number }[]>(
        'SELECT is_tagged, count(*)::integer AS count FROM devices WHERE id = ANY($1::uuid[]) GROUP BY xmin, is_tagged ORDER BY count',
        [ids],
      );
      expect(writes).toEqual([1, MAXIMUM_NAMED_DEVICES, MAXIMUM_NAMED_DEVICES].map((count) => ({ is_tagged: false, count })));
      expect(await logOf(tag.id)).toMatchObject([
        { action: 'tag-devices-removed', before: { count: MAXIMUM_NAMED_DEVICES, deviceIds: ids.slice(0, MAXIMUM_NAMED_DEVICES) } },
        { action: 'tag-devices-removed', before: { count: MAXIMUM_NAMED_DEVICES } },
        { action: 'tag-deleted', before: { deviceCount: 1, deviceIds: ids.slice(-1) } },
      ]);
    });

    it('must belong to the tenant of the device, which must be the named one', async () => {
      const [mine, theirs] = [await createTag(tenant), await createTag(foreign)];
      const device = await createDevice(server, { tenantId: tenant.id });
      const foreignDevice = await createDevice(server, { tenantId: foreign.id });
      const client = await caller([Permission.DeviceTagsWrite, at.tenant(tenant)]);
      const refusals: [string, string, string][] = [
        [device.id, theirs.id, 'The tag was not found.'],
        [device.id, newGuid(), 'The tag was not found.'],
        [foreignDevice.id, mine.id, 'The device was not found.'],
        [newGuid(), mine.id, 'The device was not found.'],
      ];
      for (const who of [client, server.client()]) {
        for (const [deviceId, tagId, detail] of refusals) {
          for (const answer of [await tagDevice(who, deviceId, tagId), await untag(who, deviceId, tagId)]) {
            expect([answer.status, answer.body]).toEqual([404, expect.objectContaining({ detail })]);
          }
        }
      }
      expect((await tagDevice(client, foreignDevice.id, theirs.id, foreign)).status).toBe(403);
      expect([await tagsOf(device.id), await tagsOf(foreignDevice.id)]).toEqual([[], []]);
    });

    it('and the deletion of the tag exclude each other', async () => {
      const tag = await createTag(tenant);
      const devices = await Promise.all(Array.from({ length: 6 }, () => createDevice(server, { tenantId: tenant.id })));
      const root = server.client();
      const [deletion, ...answers] = await Promise.all([
        root.delete(`${PATH}/${tag.id}`, inTenant()),
        ...devices.map(({ id }) => tagDevice(root, id, tag.id)),
      ]);
      expect(deletion.status).toBe(204);
      for (const { status } of answers) expect([204, 404]).toContain(status);
      for (const { id } of devices) {
        expect(await tagsOf(id)).toEqual([]);
        expect(await server.dataSource.manager.findOneByOrFail(Device, { id })).toMatchObject({ isTagged: false });
      }
    });

    it('are pushed to subscribers of the devices, also when a tag is deleted', async () => {
      const [kept, deleted] = [await createTag(tenant), await createTag(tenant)];
      const device = await createDevice(server, { tenantId: tenant.id });
      const viewer = await TestViewer.connect(server, { 'x-api-key': ROOT_KEY });
      try {
        await viewer.call(viewerHub.SubscribeToDeviceHeartbeats, [device.id]);
        const shows = (...ids: string[]) =>
          eventually(`the viewer sees ${ids.length} tags`, () => {
            const update = viewer.updates.at(-1);
            return update !== undefined && JSON.stringify((update.tagIds ?? []).toSorted()) === JSON.stringify(ids.toSorted());
          });
        const root = server.client();
        await tagDevice(root, device.id, deleted.id);
        await shows(deleted.id);
        await tagDevice(root, device.id, kept.id);
        await shows(deleted.id, kept.id);
        await root.delete(`${PATH}/${deleted.id}`, inTenant());
        await shows(kept.id);
        await untag(root, device.id, kept.id);
        await shows();
      } finally {
        await viewer.stop();
      }
    });
  });
});
