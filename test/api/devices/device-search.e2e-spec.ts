import { beforeAll, describe, expect, it } from 'vitest';

import { Permission, PermissionEffect } from '../../../src/access/authorization/permissions/permission.js';
import type { Customer } from '../../../src/devices/customers/customer.entity.js';
import type { DeviceGroup } from '../../../src/devices/device-groups/device-group.entity.js';
import type { DeviceSearchResponseDto } from '../../../src/devices/devices/device.dto.js';
import { DeviceTag, Tag, TagType } from '../../../src/devices/tags/tag.entity.js';
import { newGuid } from '../../../src/platform/common/identifiers/guid.js';
import type { ApiAnswer, ApiClient } from '../../support/application/api-client.js';
import {
  at,
  createCustomer,
  createDevice,
  createDeviceGroup,
  createServiceAccountWithKey,
  createTenant,
  grant,
  holder,
} from '../../support/fixtures/factories.js';
import { testServer, testTenant } from '../../support/setup/test-server.js';

const PATH = '/api/v1/devices/search';

describe('device search', () => {
  const server = testServer();
  const tenant = testTenant(server);
  let client: ApiClient;
  let acme: Customer;
  let [lab, office]: DeviceGroup[] = [];
  let [red, blue]: Tag[] = [];

  beforeAll(async () => {
    acme = await createCustomer(server, { tenantId: tenant.id, name: 'Acme' });
    lab = await createDeviceGroup(server, { tenantId: tenant.id });
    office = await createDeviceGroup(server, { tenantId: tenant.id });
    [red, blue] = ['red', 'blue'].map((name) => ({
      id: newGuid(),
      tenantId: tenant.id,
      name,
      type: TagType.Permission,
      createdAt: new Date(),
    }));
    await server.dataSource.manager.insert(Tag, [red, blue]);
    const seen = new Date('2026-11-20T10:00:00Z');
    const made = (second: number): Date => new Date(Date.UTC(2026, 0, 1, 0, 0, second));
    const alpha = await createDevice(server, {
      tenantId: tenant.id,
      createdAt: made(1),
      name: 'Alpha',
      alias: 'Reception',
      dnsHostName: 'alpha.example.org',
      isOnline: true,
      connectionId: 'connection-1',
      cpuUtilization: 0.9,
      usedMemory: 8,
      totalMemory: 16,
      usedStorage: 10,
      totalStorage: 100,
      processorCount: 8,
      is64Bit: true,
      platform: 1,
      osArchitecture: 1,
      currentUsers: ['ann', 'bob'],
      macAddresses: ['00AABBCCDDEE'],
      publicIpV4: '192.0.2.1',
      agentVersion: '1.2.3.4',
      lastSeen: new Date(seen.getTime() + 60_000),
      customerId: acme.id,
      groups: [lab, office],
    });
    const beta = await createDevice(server, {
      tenantId: tenant.id,
      createdAt: made(2),
      name: 'beta',
      osDescription: '100% Linux_6 \\o/',
      cpuUtilization: 0.1,
      usedMemory: 1,
      totalMemory: 16,
      usedStorage: 90,
      totalStorage: 100,
      processorCount: 2,
      platform: 2,
      osArchitecture: 3,
      lastSeen: seen,
      groups: [lab],
    });
    await createDevice(server, { tenantId: tenant.id, createdAt: made(3), name: 'Gamma', lastSeen: new Date(seen.getTime() - 60_000) });
    await server.dataSource.manager.insert(DeviceTag, [
      { deviceId: alpha.id, tagId: red.id },
      { deviceId: alpha.id, tagId: blue.id },
      { deviceId: beta.id, tagId: red.id },
    ]);
    await createDevice(server, { tenantId: (await createTenant(server)).id, name: 'Foreign alpha' });
    client = await reader();
  });

  async function reader(): Promise<ApiClient> {
    const { account, key } = await createServiceAccountWithKey(server, { tenantId: tenant.id });
    await grant(server, { principal: holder.serviceAccount(account), permission: Permission.DeviceRead, scope: at.tenant(tenant) });
    return server.client({ 'x-api-key': key });
  }

  const search = (body: object): Promise<ApiAnswer> => client.post(PATH, { body });

  async function found(body: object): Promise<string[]> {
    const answer = (await search(body)).as<DeviceSearchResponseDto>();
    return (answer.items ?? []).map(({ name }) => name);
  }

  it('finds all devices in order of creation without filters', async () => {
    const answer = (await search({})).as<DeviceSearchResponseDto>();
    expect(answer.items?.map(({ name }) => name)).toEqual(['Alpha', 'beta', 'Gamma']);
    expect(answer).toMatchObject({
      totalItems: 3,
      anyDevicesForUser: true,
      filterCounts: { onlineDevices: 1, offlineDevices: 2, taggedDevices: 2, untaggedDevices: 1 },
    });
    const [first] = answer.items ?? [];
    expect((await client.get(`/api/v1/devices/${first.id}`)).body).toEqual(first);
    expect(first.tagIds?.toSorted()).toEqual([red.id, blue.id].sort());
  });

  it('never finds what a Deny or another tenant hides', async () => {
    const { account, key } = await createServiceAccountWithKey(server, { tenantId: tenant.id });
    const principal = holder.serviceAccount(account);
    await grant(server, { principal, permission: Permission.DeviceRead, scope: at.tenant(tenant) });
    await grant(server, { principal, permission: Permission.DeviceRead, scope: at.deviceGroup(lab), effect: PermissionEffect.Deny });
    const answer = await server.client({ 'x-api-key': key }).post(PATH, { body: {} });
    expect(answer.body).toMatchObject({ totalItems: 1, items: [{ name: 'Gamma' }] });
    const all = (await server.client().post(PATH, { body: { searchText: 'alpha' } })).as<DeviceSearchResponseDto>();
    expect(all.items?.map(({ name }) => name)).toEqual(['Alpha', 'Foreign alpha']);
  });

  it('tells whether there is any device at all', async () => {
    expect((await search({ searchText: 'nothing like it' })).body).toMatchObject({ totalItems: 0, anyDevicesForUser: true, items: [] });
    const { key } = await createServiceAccountWithKey(server, { tenantId: tenant.id });
    const answer = await server.client({ 'x-api-key': key }).post(PATH, { body: {} });
    expect(answer.body).toMatchObject({ totalItems: 0, anyDevicesForUser: false, items: [] });
  });

  it.each([
    ['ALPHA', ['Alpha']],
    ['  reception ', ['Alpha']],
    ['ann', ['Alpha']],
    ['192.0.2', ['Alpha']],
    // Long enough that no random id, which is searched too, contains it.
    ['00aabbccddee', ['Alpha']],
    ['100%', ['beta']],
    ['x_6', ['beta']],
    ['nux_', ['beta']],
    ['%', ['beta']],
    ['_', ['beta']],
    ['\\o', ['beta']],
    ["'", []],
    ['', ['Alpha', 'beta', 'Gamma']],
  ])('finds %j as text, wildcards taken literally', async (searchText, names) => {
    expect(await found({ searchText })).toEqual(names);
  });

  it('filters by state, customer, tag and group', async () => {
    const table: [object, string[]][] = [
      [{ hideOfflineDevices: true }, ['Alpha']],
      [{ showOnlyUntaggedDevices: true }, ['Gamma']],
      [{ showOnlyUngroupedDevices: true }, ['Gamma']],
      [{ customerIds: [acme.id] }, ['Alpha']],
      [{ customerIds: [newGuid()] }, []],
      [{ customerIds: [] }, ['Alpha', 'beta', 'Gamma']],
      [{ tagIds: [red.id, blue.id] }, ['Alpha', 'beta']],
      [{ tagIds: [red.id, blue.id, red.id], tagFilterMatchMode: 'all' }, ['Alpha']],
      [{ tagIds: [red.id, newGuid()], tagFilterMatchMode: 1 }, []],
      [{ deviceGroupIds: [lab.id, office.id] }, ['Alpha', 'beta']],
      [{ deviceGroupIds: [lab.id, office.id], deviceGroupFilterMatchMode: 'All' }, ['Alpha']],
      [{ TagIds: [red.id], hideofflinedevices: true, searchText: 'alpha' }, ['Alpha']],
    ];
    for (const [body, names] of table) expect([body, await found(body)]).toEqual([body, names]);
  });

  it('counts the matches of all pages', async () => {
    const answer = (await search({ tagIds: [red.id], pageSize: 1, page: 1 })).as<DeviceSearchResponseDto>();
    expect(answer).toMatchObject({
      items: [{ name: 'beta' }],
      totalItems: 2,
      filterCounts: { onlineDevices: 1, offlineDevices: 1, taggedDevices: 2, untaggedDevices: 0 },
    });
    expect((await search({ page: 2_147_483_647, pageSize: 2_147_483_647 })).body).toMatchObject({ items: [], totalItems: 3 });
  });

  it.each([
    ['Name', 'contains', 'A', ['Alpha', 'beta', 'Gamma']],
    ['Name', 'not contains', 'M', ['Alpha', 'beta']],
    ['name', 'equals', 'BETA', ['beta']],
    ['name', 'Not Equals', 'beta', ['Alpha', 'Gamma']],
    ['NAME', 'starts with', 'al', ['Alpha']],
    ['name', 'ends with', 'MA', ['Gamma']],
    ['alias', 'is empty', null, ['beta', 'Gamma']],
    ['alias', 'is not empty', '', ['Alpha']],
    ['osDescription', 'contains', '%', ['beta']],
    ['osDescription', 'contains', '_6', ['beta']],
    ['osDescription', 'ends with', '\\o/', ['beta']],
    ['connectionId', 'equals', 'connection-1', ['Alpha']],
    ['customerName', 'not contains', 'acme', ['beta', 'Gamma']],
    ['currentUsers', 'contains', 'BOB', ['Alpha']],
    ['currentUsers', 'equals', 'ann, bob', ['Alpha']],
    ['currentUsers', 'contains', ' bob', ['Alpha']],
    ['currentUsers', 'ends with', 'n, BOB', ['Alpha']],
    ['macAddresses', 'equals', '00aabbccddee', ['Alpha']],
    ['cpuUtilization', '>', '0.5', ['Alpha']],
    ['cpuUtilization', '<=', '0.1', ['beta', 'Gamma']],
    ['usedMemoryPercent', '=', '0.5', ['Alpha']],
    ['usedMemoryPercent', '!=', '0.5', ['beta', 'Gamma']],
    ['usedMemoryPercent', 'is empty', null, ['Gamma']],
    ['usedStoragePercent', '>=', '0.9', ['beta']],
    ['usedStoragePercent', 'is not empty', null, ['Alpha', 'beta']],
    ['processorCount', '<', '3', ['beta', 'Gamma']],
    ['isOnline', 'is', 'true', ['Alpha']],
    ['isOnline', 'is', 'False', ['beta', 'Gamma']],
    ['is64Bit', 'is not', 'true', ['beta', 'Gamma']],
    ['platform', 'is', 'linux', ['beta']],
    ['platform', 'is', '1', ['Alpha']],
    ['osArchitecture', 'is not', 'Arm64', ['Alpha', 'Gamma']],
    ['lastSeen', 'is after', '2026-11-20T10:00:00Z', ['Alpha']],
    ['lastSeen', 'is on or before', '2026-11-20T11:00:00+01:00', ['beta', 'Gamma']],
    ['name', 'contains', null, ['Alpha', 'beta', 'Gamma']],
    ['isOnline', 'is', '', ['Alpha', 'beta', 'Gamma']],
    [null, 'equals', 'Alpha', ['Alpha', 'beta', 'Gamma']],
    ['name', null, 'Alpha', ['Alpha', 'beta', 'Gamma']],
    [null, null, null, ['Alpha', 'beta', 'Gamma']],
  ])('%s %s %j', async (propertyName, operator, value, names) => {
    expect(await found({ filterDefinitions: [{ propertyName, operator, value }] })).toEqual(names);
  });

  it('filters by every definition together', async () => {
    const filterDefinitions = [
      { propertyName: 'name', operator: 'contains', value: 'a' },
      { propertyName: 'isOnline', operator: 'is', value: 'false' },
    ];
    expect(await found({ filterDefinitions, tagIds: [red.id] })).toEqual(['beta']);
  });

  it.each([
    [[{ propertyName: 'name' }], ['Alpha', 'beta', 'Gamma']],
    [[{ propertyName: 'Name', descending: true }], ['Gamma', 'beta', 'Alpha']],
    [[{ propertyName: 'cpuUtilization', descending: true }], ['Alpha', 'beta', 'Gamma']],
    [[{ propertyName: 'usedStoragePercent', descending: true }], ['beta', 'Alpha', 'Gamma']],
    [
      [
        { propertyName: 'name', descending: true, sortOrder: 2 },
        { propertyName: 'isOnline', descending: true, sortOrder: 1 },
      ],
      ['Alpha', 'Gamma', 'beta'],
    ],
    [[{ propertyName: 'lastSeen' }], ['Gamma', 'beta', 'Alpha']],
    [[{ propertyName: 'osArchitecture' }], ['Gamma', 'Alpha', 'beta']],
  ])('sorts by %j', async (sortDefinitions, names) => {
    expect(await found({ sortDefinitions })).toEqual(names);
  });

  it.each([
    [{ filterDefinitions: [{ propertyName: 'publicKey', operator: 'equals', value: 'x' }] }, 'filterDefinitions[0].propertyName'],
    [{ filterDefinitions: [{ propertyName: 'constructor', operator: 'equals', value: 'x' }] }, 'filterDefinitions[0].propertyName'],
    [{ filterDefinitions: [{ propertyName: 'name', operator: '>', value: 'x' }] }, 'filterDefinitions[0].operator'],
    [{ filterDefinitions: [{ propertyName: 'name', operator: 'constructor', value: 'x' }] }, 'filterDefinitions[0].operator'],
    [{ filterDefinitions: [{ propertyName: 'isOnline', operator: 'is', value: 'yes' }] }, 'filterDefinitions[0].value'],
    [{ filterDefinitions: [{ propertyName: 'isOnline', operator: 'is', value: 'constructor' }] }, 'filterDefinitions[0].value'],
    [{ filterDefinitions: [{ propertyName: 'cpuUtilization', operator: '>', value: 'Infinity' }] }, 'filterDefinitions[0].value'],
    [{ filterDefinitions: [{ propertyName: 'platform', operator: 'is', value: 'Amiga' }] }, 'filterDefinitions[0].value'],
    [{ filterDefinitions: [{ propertyName: 'lastSeen', operator: 'is', value: '2026-02-31' }] }, 'filterDefinitions[0].value'],
    [{ filterDefinitions: [{ propertyName: 'name', operator: 'contains', value: 'a\0' }] }, 'filterDefinitions[0].value'],
    [{ filterDefinitions: [[{ propertyName: 'name', operator: 'is empty' }]] }, 'filterDefinitions'],
    [{ sortDefinitions: [[]] }, 'sortDefinitions'],
    [{ filterDefinitions: Array.from({ length: 21 }, () => ({ propertyName: 'name', operator: 'is empty' })) }, 'filterDefinitions'],
    [{ sortDefinitions: [{ propertyName: 'name' }, { propertyName: 'drives' }] }, 'sortDefinitions[1].propertyName'],
    [{ sortDefinitions: [{ propertyName: 'name; DROP TABLE devices' }] }, 'sortDefinitions[0].propertyName'],
  ])('refuses %j', async (body, field) => {
    const answer = await search(body);
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual(expect.objectContaining({ errors: { [field]: [expect.any(String)] } }));
  });

  it('goes on when a device reports figures whose share is no number that the database can hold', async () => {
    const odd = await createTenant(server);
    await createDevice(server, { tenantId: odd.id, name: 'over', usedMemory: 1e308, totalMemory: 1e-308 });
    await createDevice(server, { tenantId: odd.id, name: 'under', usedMemory: 1e-308, totalMemory: 1e308 });
    await createDevice(server, { tenantId: odd.id, name: 'half', usedMemory: 4, totalMemory: 8 });
    const { account, key } = await createServiceAccountWithKey(server, { tenantId: odd.id });
    await grant(server, { principal: holder.serviceAccount(account), permission: Permission.DeviceRead, scope: at.tenant(odd) });
    const body = {
      filterDefinitions: [{ propertyName: 'usedMemoryPercent', operator: '>=', value: '0.5' }],
      sortDefinitions: [{ propertyName: 'usedMemoryPercent', descending: true, sortOrder: 0 }],
    };
    const answer = await server.client({ 'x-api-key': key }).post(PATH, { body });
    expect(answer.body).toMatchObject({ totalItems: 1, items: [{ name: 'half' }] });
  });
});
