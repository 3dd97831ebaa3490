import { once } from 'node:events';

import { beforeAll, describe, expect, it } from 'vitest';

import { AuthorizationChangeLog } from '../../../src/access/authorization/change-log/change-log.entity.js';
import { Permission, PermissionEffect } from '../../../src/access/authorization/permissions/permission.js';
import { PermissionAssignment } from '../../../src/access/permission-assignments/permission-assignment.entity.js';
import { DeviceEvents } from '../../../src/devices/devices/device-events.js';
import type { DeviceResponseDto, DeviceSummaryDto } from '../../../src/devices/devices/device.dto.js';
import type { Device } from '../../../src/devices/devices/device.entity.js';
import { DeviceTag, Tag, TagType } from '../../../src/devices/tags/tag.entity.js';
import { newGuid } from '../../../src/platform/common/identifiers/guid.js';
import type { Tenant } from '../../../src/tenants/tenants/tenant.entity.js';
import type { ApiClient } from '../../support/application/api-client.js';
import { accountWith, changesOf, type Right } from '../../support/callers/callers.js';
import {
  at,
  createCustomer,
  createDevice,
  createDeviceGroup,
  createTenant,
  createUser,
  grant,
  holder,
  type Scope,
} from '../../support/fixtures/factories.js';
import { testServer, testTenant } from '../../support/setup/test-server.js';

describe('devices', () => {
  const server = testServer();
  const home = testTenant(server);
  const foreign = testTenant(server);

  /** A caller of a tenant (or of the server) with these rights. */
  const caller = (tenant: Tenant | null, ...rights: readonly Right[]): Promise<ApiClient> => accountWith(server, tenant, ...rights);

  const idsOf = (devices: readonly { readonly id: string }[]): string[] => devices.map(({ id }) => id).sort();

  async function listed(client: ApiClient, path = '/api/v1/devices'): Promise<string[]> {
    return idsOf((await client.get(path)).as<DeviceResponseDto[]>());
  }

  describe('lists', () => {
    let tenant: Tenant;
    let plain: Device;
    let ofCustomer: Device;
    let ofGroup: Device;
    let elsewhere: Device;
    let scopes: { customer: Scope; group: Scope };

    beforeAll(async () => {
      tenant = await createTenant(server);
      const other = await createTenant(server);
      const customer = await createCustomer(server, { tenantId: tenant.id, name: 'Acme' });
      const group = await createDeviceGroup(server, { tenantId: tenant.id });
      plain = await createDevice(server, { tenantId: tenant.id });
      ofCustomer = await createDevice(server, { tenantId: tenant.id, customerId: customer.id });
      ofGroup = await createDevice(server, { tenantId: tenant.id, groups: [group] });
      elsewhere = await createDevice(server, { tenantId: other.id });
      scopes = { customer: at.customer(customer), group: at.deviceGroup(group) };
    });

    it('show a tenant principal the devices that its assignments grant', async () => {
      expect(await listed(await caller(tenant, [Permission.DeviceRead, at.tenant(tenant)]))).toEqual(idsOf([plain, ofCustomer, ofGroup]));
      expect(await listed(await caller(tenant, [Permission.DeviceRead, scopes.customer]))).toEqual([ofCustomer.id]);
      expect(await listed(await caller(tenant, [Permission.DeviceRead, scopes.group]))).toEqual([ofGroup.id]);
      expect(await listed(await caller(tenant))).toEqual([]);
    });

    it('leave out what a Deny excludes', async () => {
      const client = await caller(
        tenant,
        [Permission.DeviceRead, at.tenant(tenant)],
        [Permission.DeviceRead, scopes.customer, PermissionEffect.Deny],
        [Permission.DeviceRead, at.device(plain), PermissionEffect.Deny],
      );
      expect(await listed(client)).toEqual([ofGroup.id]);
      expect(await listed(client, '/api/v1/devices/summary')).toEqual([ofGroup.id]);
    });

    it('show a Restricted server account devices of all tenants, and answer 403 without any assignment', async () => {
      const client = await caller(null, [Permission.DeviceRead, scopes.customer], [Permission.DeviceRead, at.device(elsewhere)]);
      expect(await listed(client)).toEqual(idsOf([ofCustomer, elsewhere]));
      const nothing = await caller(null);
      for (const path of ['/api/v1/devices', '/api/v1/devices/summary']) expect((await nothing.get(path)).status).toBe(403);
      expect((await nothing.post('/api/v1/devices/search', { body: {} })).status).toBe(403);
    });

    it('show the Unrestricted account every device and ignore a tenantId', async () => {
      const devices = (await server.client().get('/api/v1/devices', { query: { tenantId: tenant.id } })).as<DeviceResponseDto[]>();
      expect(idsOf(devices)).toEqual(expect.arrayContaining(idsOf([plain, ofCustomer, ofGroup, elsewhere])));
    });

    it('answer 401 without a credential and HEAD without a body', async () => {
      expect((await server.client({}).get('/api/v1/devices')).status).toBe(401);
      const head = await server.client().call('HEAD', '/api/v1/devices');
      expect(head.status).toBe(200);
      expect(head.text).toBe('');
    });

    it('show every member of a device, with its customer and tags', async () => {
      const tag = { id: newGuid(), tenantId: tenant.id, name: 'Laptop', type: TagType.Permission };
      await server.dataSource.manager.insert(Tag, tag);
      await server.dataSource.manager.insert(DeviceTag, { deviceId: ofCustomer.id, tagId: tag.id });
      const client = await caller(tenant, [Permission.DeviceRead, scopes.customer]);
      const [device] = (await client.get('/api/v1/devices')).as<DeviceResponseDto[]>();
      expect(device).toEqual({
        id: ofCustomer.id,
        tenantId: tenant.id,
        name: ofCustomer.name,
        alias: '',
        agentVersion: '',
        connectionId: '',
        cpuUtilization: 0,
        currentUsers: [],
        customerId: ofCustomer.customerId,
        customerName: 'Acme',
        dnsHostName: '',
        drives: [],
        is64Bit: false,
        isOnline: false,
        isOutdated: false,
        lastSeen: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,3})?\+00:00$/),
        localIpV4: '',
        localIpV6: '',
        macAddresses: [],
        osArchitecture: 0,
        osDescription: '',
        platform: 0,
        processorCount: 0,
        publicIpV4: '',
        publicIpV6: '',
        tagIds: [tag.id],
        totalMemory: 0,
        totalStorage: 0,
        usedMemory: 0,
        usedStorage: 0,
      });
      expect((await client.get(`/api/v1/devices/${ofCustomer.id}`)).body).toEqual(device);
      const summaries = (await client.get('/api/v1/devices/summary')).as<DeviceSummaryDto[]>();
      expect(summaries).toEqual([{ id: device.id, lastSeen: device.lastSeen, agentVersion: '' }]);
    });
  });

  describe('one device', () => {
    it('is shown to callers who may read it: 403 without the permission, 404 for another tenant', async () => {
      const own = await createDevice(server, { tenantId: home.id });
      const theirs = await createDevice(server, { tenantId: foreign.id });
      const client = await caller(home, [Permission.DeviceAliasWrite, at.tenant(home)]);
      expect((await client.get(`/api/v1/devices/${own.id}`)).status).toBe(403);
      const [hidden, unknown, malformed] = await Promise.all(
        [theirs.id, newGuid(), 'no-guid'].map((id) => client.get(`/api/v1/devices/${id}`)),
      );
      expect(hidden.status).toBe(404);
      expect(hidden.body).toEqual(unknown.body);
      expect(malformed.status).toBe(404);
      const reader = await caller(home, [Permission.DeviceRead, at.device(own)]);
      expect((await reader.get(`/api/v1/devices/${own.id.toUpperCase()}`)).body).toMatchObject({ id: own.id });
    });

    it('gets and loses an alias, both logged', async () => {
      const device = await createDevice(server, { tenantId: home.id });
      const client = await caller(home, [Permission.DeviceAliasWrite, at.tenant(home)]);
      const path = `/api/v1/devices/${device.id}/alias`;
      const changed = once(server.app.get(DeviceEvents), 'changed');
      const answer = await client.patch(path, { body: { deviceId: device.id, alias: 'Reception' } });
      expect(answer.status).toBe(200);
      expect(answer.body).toMatchObject({ id: device.id, alias: 'Reception' });
      expect(await changed).toEqual([{ id: device.id, tenantId: home.id }]);
      expect((await client.patch(path, { body: { deviceId: device.id, alias: null } })).body).toMatchObject({ alias: '' });
      expect((await client.patch(path, { body: { deviceId: device.id } })).body).toMatchObject({ alias: '' });

      const log = await server.dataSource.manager.find(AuthorizationChangeLog, { where: { targetId: device.id }, order: { id: 'ASC' } });
      expect(log.map(({ actionType, beforeJson, afterJson }) => [actionType, beforeJson, afterJson])).toEqual([
        ['device-alias-updated', '{"alias":""}', '{"alias":"Reception"}'],
        ['device-alias-updated', '{"alias":"Reception"}', '{"alias":""}'],
      ]);
    });

    it('gets no alias with another id than the path names', async () => {
      const device = await createDevice(server, { tenantId: home.id });
      const body = { deviceId: newGuid(), alias: 'x' };
      const answer = await server.client().patch(`/api/v1/devices/${device.id}/alias`, { body });
      expect(answer.status).toBe(400);
      expect(answer.body).toMatchObject({ errors: { deviceId: [expect.any(String)] } });
    });

    it('is deleted with everything that refers to it, and its listeners are notified', async () => {
      const device = await createDevice(server, { tenantId: home.id, name: 'gone', connectionId: 'c1', nodeId: 'n1' });
      const reader = await caller(home, [Permission.DeviceRead, at.device(device)]);
      expect((await reader.delete(`/api/v1/devices/${device.id}`)).status).toBe(403);

      const client = await caller(home, [Permission.DeviceDelete, at.tenant(home)]);
      const deleted = once(server.app.get(DeviceEvents), 'deleted');
      expect((await client.delete(`/api/v1/devices/${device.id}`)).status).toBe(204);
      expect(await deleted).toEqual([{ id: device.id, tenantId: home.id, connectionId: 'c1', nodeId: 'n1' }]);
      expect((await client.delete(`/api/v1/devices/${device.id}`)).status).toBe(404);
      expect((await reader.get(`/api/v1/devices/${device.id}`)).status).toBe(404);
      const log = await server.dataSource.manager.find(AuthorizationChangeLog, { where: { targetId: device.id } });
      expect(log).toMatchObject([{ actionType: 'device-deleted', owningTenantId: home.id, beforeJson: '{"name":"gone","alias":""}' }]);
    });

    it('is deleted with its assignments, each of which is logged', async () => {
      const [one, two] = await Promise.all([1, 2].map(() => createDevice(server, { tenantId: home.id })));
      const user = await createUser(server, { tenantId: home.id });
      const principal = holder.user(user);
      const gone = await grant(server, { principal, permission: Permission.DeviceRead, scope: at.device(one) });
      const goneToo = await grant(server, {
        principal,
        permission: Permission.DeviceRead,
        scope: at.device(two),
        effect: PermissionEffect.Deny,
      });
      expect((await server.client().delete(`/api/v1/devices/${one.id}`)).status).toBe(204);
      await server.client().post('/api/v1/devices/delete-many', { body: { deviceIds: [two.id] } });
      expect(await server.dataSource.manager.countBy(PermissionAssignment, { principalId: user.id })).toBe(0);
      for (const { id } of [gone, goneToo]) {
        expect(await changesOf(server, id)).toMatchObject([{ action: 'permission-assignment-deleted', before: { principalId: user.id } }]);
      }
    });
  });

  describe('delete-many', () => {
    it('deletes the devices that the caller may delete and names the others', async () => {
      const [one, two, kept] = await Promise.all([1, 2, 3].map(() => createDevice(server, { tenantId: home.id })));
      const theirs = await createDevice(server, { tenantId: foreign.id });
      const unknown = newGuid();
      const client = await caller(
        home,
        [Permission.DeviceDelete, at.tenant(home)],
        [Permission.DeviceDelete, at.device(kept), PermissionEffect.Deny],
      );
      const answer = await client.post('/api/v1/devices/delete-many', {
        body: { DeviceIds: [theirs.id, one.id, unknown, kept.id, two.id.toUpperCase(), one.id] },
      });
      expect(answer.status).toBe(200);
      expect(answer.body).toEqual({ successIds: [one.id, two.id], failureIds: [theirs.id, unknown, kept.id] });
      const log = await server.dataSource.manager.find(AuthorizationChangeLog, {
        where: { actionType: 'device-deleted', targetId: two.id },
      });
      expect(log).toHaveLength(1);
    });

    it('deletes each device once when parallel calls name the same ones', async () => {
      const devices = await Promise.all(Array.from({ length: 20 }, () => createDevice(server, { tenantId: home.id })));
      const ids = devices.map(({ id }) => id);
      const answers = await Promise.all(
        [ids, ids.toReversed(), ids, ids.toReversed()].map((deviceIds) =>
          server.client().post('/api/v1/devices/delete-many', { body: { deviceIds } }),
        ),
      );
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
      const deleted = answers.flatMap((answer) => answer.as<{ successIds: string[] }>().successIds);
      expect(deleted.sort()).toEqual(ids.toSorted());
    });
  });
});
