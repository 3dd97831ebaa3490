import { describe, expect, it } from 'vitest';

import { Permission, PermissionEffect } from '../../../src/access/authorization/permissions/permission.js';
import { PermissionAssignment } from '../../../src/access/permission-assignments/permission-assignment.entity.js';
import type { DeviceGroupDetailDto, DeviceGroupsResponseDto } from '../../../src/devices/device-groups/device-group.dto.js';
import { DeviceGroup, DeviceGroupMember } from '../../../src/devices/device-groups/device-group.entity.js';
import { EMPTY_GUID, newGuid } from '../../../src/platform/common/identifiers/guid.js';
import type { Tenant } from '../../../src/tenants/tenants/tenant.entity.js';
import type { ApiClient } from '../../support/application/api-client.js';
import { accountWith, changesOf, statusesOf, type Right } from '../../support/callers/callers.js';
import {
  at,
  createCustomer,
  createDevice,
  createDeviceGroup,
  createTenant,
  createUser,
  grant,
  holder,
} from '../../support/fixtures/factories.js';
import { testServer, testTenant } from '../../support/setup/test-server.js';

const PATH = '/api/v1/device-groups';

describe('device groups', () => {
  const server = testServer();
  const tenant = testTenant(server);
  const foreign = testTenant(server);

  const inTenant = (of: Tenant = tenant) => ({ query: { tenantId: of.id } });
  const create = (client: ApiClient, body: object) => client.post(PATH, { ...inTenant(), body });
  const add = (client: ApiClient, groupId: string, deviceIds: unknown) =>
    client.post(`${PATH}/${groupId}/members`, { ...inTenant(), body: { deviceIds } });
  const take = (client: ApiClient, groupId: string, deviceIds: unknown) =>
    client.delete(`${PATH}/${groupId}/members`, { ...inTenant(), body: { deviceIds } });

  const caller = (...rights: readonly Right[]): Promise<ApiClient> => accountWith(server, tenant, ...rights);

  async function membersOf(deviceGroupId: string): Promise<string[]> {
    const members = await server.dataSource.manager.findBy(DeviceGroupMember, { deviceGroupId });
    return members.map(({ deviceId }) => deviceId).sort();
  }

  const logOf = (targetId: string) => changesOf(server, targetId);

  describe('as a resource', () => {
    it('are created, read, changed and deleted, each with an entry in the change log', async () => {
      const root = server.client();
      const answer = await create(root, { name: 'Servers', description: 'All racks' });
      expect(answer.status).toBe(201);
      const created = answer.as<DeviceGroupDetailDto>();
      expect(created).toEqual({
        id: expect.any(String),
        name: 'Servers',
        description: 'All racks',
        createdAt: expect.any(String),
        members: [],
      });
      const path = `${PATH}/${created.id}`;
      expect((await root.get(path, inTenant())).body).toEqual(created);

      const device = await createDevice(server, { tenantId: tenant.id });
      expect((await add(root, created.id, [device.id])).status).toBe(204);
      const updated = await root.put(path, { ...inTenant(), body: { Name: 'Racks' } });
      expect([updated.status, updated.body]).toEqual([
        200,
        { ...created, name: 'Racks', members: [expect.objectContaining({ deviceId: device.id })] },
      ]);

      expect((await root.delete(path, inTenant())).status).toBe(204);
      expect((await root.get(path, inTenant())).status).toBe(404);
      expect((await root.delete(path, inTenant())).status).toBe(404);
      expect(await membersOf(created.id)).toEqual([]);
      expect(await logOf(created.id)).toEqual([
        { action: 'device-group-created', before: null, after: { name: 'Servers', description: 'All racks' } },
        { action: 'device-group-members-added', before: null, after: { count: 1, deviceIds: [device.id] } },
        {
          action: 'device-group-updated',
          before: { name: 'Servers', description: 'All racks' },
          after: { name: 'Racks', description: 'All racks' },
        },
        {
          action: 'device-group-deleted',
          before: { name: 'Racks', description: 'All racks', memberCount: 1, deviceIds: [device.id] },
          after: null,
        },
      ]);
      const log = await root.get('/api/v1/authorization-change-logs', { query: { tenantId: tenant.id, searchText: created.id } });
      expect(log.body).toMatchObject({ totalItems: 4 });
    });

    it('are listed by name with their number of members, and show members by device name', async () => {
      const home = await createTenant(server);
      const customer = await createCustomer(server, { tenantId: home.id, name: 'Acme' });
      const second = await createDevice(server, { tenantId: home.id, name: 'b', alias: ' ' });
      const first = await createDevice(server, { tenantId: home.id, name: 'a', alias: 'Door', customerId: customer.id });
      const full = await createDeviceGroup(server, { tenantId: home.id, name: 'Y', devices: [second, first] });
      const empty = await createDeviceGroup(server, { tenantId: home.id, name: 'X' });
      await createDeviceGroup(server, { tenantId: foreign.id, name: 'XX' });
      const root = server.client();
      const { items } = (await root.get(PATH, inTenant(home))).as<DeviceGroupsResponseDto>();
      expect(items).toEqual([
        { id: empty.id, name: 'X', description: null, createdAt: expect.any(String), memberCount: 0 },
        { id: full.id, name: 'Y', description: null, createdAt: expect.any(String), memberCount: 2 },
      ]);
      expect((await root.get(`${PATH}/${full.id}`, inTenant(home))).as<DeviceGroupDetailDto>().members).toEqual([
        { deviceId: first.id, deviceName: 'a', alias: 'Door', customerName: 'Acme' },
        { deviceId: second.id, deviceName: 'b', alias: null, customerName: null },
      ]);
    });

    it('have unique names in a tenant', async () => {
      const root = server.client();
      await create(root, { name: 'Twice' });
      const second = await create(root, { name: 'Twice' });
      expect([second.status, second.body]).toEqual([
        409,
        expect.objectContaining({ detail: 'A device group with this name already exists.' }),
      ]);
      const other = (await create(root, { name: 'Once' })).as<DeviceGroupDetailDto>();
      expect((await root.put(`${PATH}/${other.id}`, { ...inTenant(), body: { name: 'Twice' } })).status).toBe(409);
      expect((await root.post(PATH, { ...inTenant(foreign), body: { name: 'Twice' } })).status).toBe(201);
    });

    it('are created once when parallel calls use the same name', async () => {
      const answers = await Promise.all(Array.from({ length: 8 }, () => create(server.client(), { name: 'At once' })));
      expect(statusesOf(answers)).toEqual([201, ...Array.from({ length: 7 }, () => 409)]);
      expect(await server.dataSource.manager.countBy(DeviceGroup, { tenantId: tenant.id, name: 'At once' })).toBe(1);
    });
  });

  describe('and their members', () => {
    it('are added once and removed once, even if a call is repeated, and logged by their ids', async () => {
      const root = server.client();
      const group = await createDeviceGroup(server, { tenantId: tenant.id });
      const [a, b] = [await createDevice(server, { tenantId: tenant.id }), await createDevice(server, { tenantId: tenant.id })];
      const stranger = await createDevice(server, { tenantId: foreign.id });
      expect((await add(root, group.id, [a.id, a.id.toUpperCase(), a.id])).status).toBe(204);
      expect((await add(root, group.id, [a.id])).status).toBe(204);
      expect((await add(root, group.id, [a.id, b.id])).status).toBe(204);
      expect((await add(root, group.id, [])).status).toBe(204);
      expect(await membersOf(group.id)).toEqual([a.id, b.id].sort());
      expect((await take(root, group.id, [b.id, b.id, newGuid(), stranger.id])).status).toBe(204);
      expect((await take(root, group.id, [b.id])).status).toBe(204);
      expect(await membersOf(group.id)).toEqual([a.id]);
      expect(await logOf(group.id)).toEqual([
        { action: 'device-group-members-added', before: null, after: { count: 1, deviceIds: [a.id] } },
        { action: 'device-group-members-added', before: null, after: { count: 1, deviceIds: [b.id] } },
        { action: 'device-group-members-removed', before: { count: 1, deviceIds: [b.id] }, after: null },
      ]);
    });

    it('are not added at all when one does not belong to the tenant', async () => {
      const group = await createDeviceGroup(server, { tenantId: tenant.id });
      const mine = await createDevice(server, { tenantId: tenant.id });
      const theirs = await createDevice(server, { tenantId: foreign.id });
      const wordings = new Set<string>();
      for (const strange of [theirs.id, newGuid(), EMPTY_GUID]) {
        const answer = await add(server.client(), group.id, [mine.id, strange]);
        expect([answer.status, answer.body]).toEqual([400, expect.objectContaining({ errors: { deviceIds: [expect.any(String)] } })]);
        wordings.add(answer.text);
      }
      expect(wordings.size).toBe(1);
      expect(await membersOf(group.id)).toEqual([]);
      expect(await logOf(group.id)).toEqual([]);
    });

    it('are removed only by a call with a body', async () => {
      const group = await createDeviceGroup(server, { tenantId: tenant.id });
      expect((await server.client().delete(`${PATH}/${group.id}/members`, inTenant())).status).toBe(400);
    });

    it('can be added and removed a thousand at a time', async () => {
      const group = await createDeviceGroup(server, { tenantId: tenant.id });
      const ids = Array.from({ length: 1_000 }, newGuid);
      await server.dataSource.query(`INSERT INTO devices (id, tenant_id, name) SELECT unnest($1::uuid[]), $2, 'many'`, [ids, tenant.id]);
      expect((await add(server.client(), group.id, ids)).status).toBe(204);
      expect((await membersOf(group.id)).length).toBe(1_000);
      expect((await take(server.client(), group.id, ids)).status).toBe(204);
      expect(await membersOf(group.id)).toEqual([]);
    });

    it('are added and logged once each by parallel calls', async () => {
      const group = await createDeviceGroup(server, { tenantId: tenant.id });
      const devices = await Promise.all(Array.from({ length: 20 }, () => createDevice(server, { tenantId: tenant.id })));
      const ids = devices.map(({ id }) => id);
      const answers = await Promise.all(
        Array.from({ length: 6 }, (_, index) => add(server.client(), group.id, index % 2 === 0 ? ids : ids.toReversed())),
      );
      expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 6 }, () => 204));
      expect(await membersOf(group.id)).toEqual(ids.toSorted());
      const logged = (await logOf(group.id)).flatMap(({ after }) => (after as { deviceIds: string[] }).deviceIds);
      expect(logged.sort()).toEqual(ids.toSorted());
    });

    it('and the deletion of their group exclude each other', async () => {
      const group = await createDeviceGroup(server, { tenantId: tenant.id });
      const device = await createDevice(server, { tenantId: tenant.id });
      const root = server.client();
      const answers = await Promise.all([
        root.delete(`${PATH}/${group.id}`, inTenant()),
        ...Array.from({ length: 5 }, () => add(root, group.id, [device.id])),
      ]);
      expect(answers[0].status).toBe(204);
      for (const { status } of answers.slice(1)) expect([204, 404]).toContain(status);
      expect(await membersOf(group.id)).toEqual([]);
    });
  });

  describe('as scopes of permissions', () => {
    it('apply to a device from the next request after it was added until it is removed, without a notification', async () => {
      await server.dataSource.query('ALTER TABLE device_group_members DISABLE TRIGGER invalidate_device');
      const [group, second] = [
        await createDeviceGroup(server, { tenantId: tenant.id }),
        await createDeviceGroup(server, { tenantId: tenant.id }),
      ];
      const device = await createDevice(server, { tenantId: tenant.id });
      const technician = await caller([Permission.DeviceRead, at.deviceGroup(group)], [Permission.DeviceRead, at.deviceGroup(second)]);
      const status = async () => (await technician.get(`/api/v1/devices/${device.id}`)).status;
      const root = server.client();
      expect(await status()).toBe(403);
      await add(root, group.id, [device.id]);
      await add(root, second.id, [device.id]);
      expect(await status()).toBe(200);
      await take(root, group.id, [device.id]);
      expect(await status()).toBe(200);
      await root.delete(`${PATH}/${second.id}`, inTenant());
      expect(await status()).toBe(403);
      await server.dataSource.query('ALTER TABLE device_group_members ENABLE TRIGGER invalidate_device');
    });

    it('are deleted with their assignments, each of which is logged', async () => {
      const group = await createDeviceGroup(server, { tenantId: tenant.id });
      const user = await createUser(server, { tenantId: tenant.id });
      const gone = await grant(server, { principal: holder.user(user), permission: Permission.DeviceRead, scope: at.deviceGroup(group) });
      expect((await server.client().delete(`${PATH}/${group.id}`, inTenant())).status).toBe(204);
      expect(await server.dataSource.manager.countBy(PermissionAssignment, { principalId: user.id })).toBe(0);
      expect(await logOf(gone.id)).toMatchObject([{ action: 'permission-assignment-deleted', before: { principalId: user.id } }]);
    });
  });

  describe('do not let a caller gain rights', () => {
    it('by adding devices that it may not read', async () => {
      const group = await createDeviceGroup(server, { tenantId: tenant.id });
      const [readable, hidden] = [await createDevice(server, { tenantId: tenant.id }), await createDevice(server, { tenantId: tenant.id })];
      const client = await caller(
        [Permission.DeviceGroupAssignDevices, at.deviceGroup(group)],
        [Permission.DeviceRead, at.deviceGroup(group)],
        [Permission.DeviceTerminalUse, at.deviceGroup(group)],
        [Permission.DeviceRead, at.device(readable)],
      );
      const refused = await add(client, group.id, [readable.id, hidden.id]);
      expect([refused.status, refused.body]).toEqual([
        403,
        expect.objectContaining({ detail: 'Moving a device requires device.read on it: you may not read all of these devices.' }),
      ]);
      expect(await membersOf(group.id)).toEqual([]);
      expect((await add(client, group.id, [readable.id])).status).toBe(204);
    });

    it('by removing devices from a group at which it has a Deny', async () => {
      const device = await createDevice(server, { tenantId: tenant.id });
      const group = await createDeviceGroup(server, { tenantId: tenant.id, devices: [device] });
      const rights: Right[] = [
        [Permission.DeviceGroupAssignDevices, at.deviceGroup(group)],
        [Permission.DeviceTerminalUse, at.tenant(tenant)],
        [Permission.DeviceTerminalUse, at.deviceGroup(group), PermissionEffect.Deny],
      ];
      const client = await caller(...rights);
      const refused = await take(client, group.id, [device.id]);
      expect([refused.status, refused.body]).toEqual([
        403,
        expect.objectContaining({
          detail: 'Removing these devices would end a denial: the permission tenant.permissions.deny is required.',
        }),
      ]);
      expect(await membersOf(group.id)).toEqual([device.id]);
      expect((await take(client, group.id, [newGuid()])).status).toBe(204);
      const mayDeny = await caller(...rights, [Permission.TenantPermissionsDeny, at.tenant(tenant)]);
      expect((await take(mayDeny, group.id, [device.id])).status).toBe(204);
    });

    it('by deleting a group that carries a Deny', async () => {
      const group = await createDeviceGroup(server, { tenantId: tenant.id });
      const user = await createUser(server, { tenantId: tenant.id });
      const effect = PermissionEffect.Deny;
      const permission = Permission.DeviceTerminalUse;
      const deny = await grant(server, { principal: holder.user(user), permission, scope: at.deviceGroup(group), effect });
      const client = await caller([Permission.TenantDeviceGroupsWrite, at.tenant(tenant)]);
      const refused = await client.delete(`${PATH}/${group.id}`, inTenant());
      expect([refused.status, refused.body]).toEqual([
        403,
        expect.objectContaining({
          detail: 'Deleting this device group would end a denial: the permission tenant.permissions.deny is required.',
        }),
      ]);
      expect(await server.dataSource.manager.existsBy(PermissionAssignment, { id: deny.id })).toBe(true);
      expect((await server.client().delete(`${PATH}/${group.id}`, inTenant())).status).toBe(204);
    });
  });
});
