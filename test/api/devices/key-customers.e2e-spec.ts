import { describe, expect, it } from 'vitest';

import { Permission } from '../../../src/access/authorization/permissions/permission.js';
import type { DeviceResponseDto } from '../../../src/devices/devices/device.dto.js';
import type { CreateInstallerKeyResponseDto } from '../../../src/devices/installer-keys/installer-key.dto.js';
import { newGuid } from '../../../src/platform/common/identifiers/guid.js';
import type { ApiAnswer, ApiClient } from '../../support/application/api-client.js';
import { accountWith, changesOf, wrongFieldsOf } from '../../support/callers/callers.js';
import { at, createCustomer, createTenant } from '../../support/fixtures/factories.js';
import { testServer, testTenant } from '../../support/setup/test-server.js';

type Key = Pick<CreateInstallerKeyResponseDto, 'id' | 'keySecret'>;

const pathOf = ({ id }: Pick<Key, 'id'>): string => `/api/inventory/installer-keys/${id}/customer`;

describe('customers of installer keys', () => {
  const server = testServer();
  const tenant = testTenant(server);

  const inTenant = () => ({ query: { tenantId: tenant.id } });
  const newCaller = (): Promise<ApiClient> =>
    accountWith(
      server,
      tenant,
      [Permission.InstallerKeyWrite, at.tenant(tenant)],
      [Permission.InstallerKeyRead, at.tenant(tenant)],
      [Permission.TenantCustomersWrite, at.tenant(tenant)],
      [Permission.AgentInstall, at.tenant(tenant)],
    );

  async function newKey(caller: ApiClient): Promise<Key> {
    const body = { tenantId: tenant.id, keyType: 'Persistent', friendlyName: null, allowedUses: null, expiration: null };
    const answer = await caller.post('/api/v1/installer-keys', { body });
    expect(answer.status).toBe(200);
    return answer.as<Key>();
  }

  const choose = (caller: ApiClient, key: Key, customerId: string | null): Promise<ApiAnswer> =>
    caller.put(pathOf(key), { ...inTenant(), body: { customerId } });

  async function register({ id, keySecret }: Key, deviceId: string, rest: object = {}): Promise<DeviceResponseDto> {
    const device = { id: deviceId, tenantId: tenant.id, name: 'front-desk-2', is64Bit: true, platform: 2, osArchitecture: 1 };
    const figures = { processorCount: 8, cpuUtilization: 0, totalMemory: 8, totalStorage: 100, usedMemory: 4, usedStorage: 50 };
    const body = { device: { ...device, ...figures }, installerKeyId: id, installerKeySecret: keySecret, tagIds: null, ...rest };
    const answer = await server.client({}).post('/api/agent/devices', { body });
    expect([answer.status, answer.body]).toEqual([200, expect.anything()]);
    return answer.as<DeviceResponseDto>();
  }

  it('are given to new devices, and the change log says so', async () => {
    const caller = await newCaller();
    const key = await newKey(caller);
    const customer = await createCustomer(server, { tenantId: tenant.id });
    expect((await choose(caller, key, customer.id)).body).toEqual({ customerId: customer.id });
    expect((await caller.get(pathOf(key), inTenant())).body).toEqual({ customerId: customer.id });
    expect((await changesOf(server, key.id)).at(-1)).toEqual({
      action: 'installer-key-customer-changed',
      before: {},
      after: { customerId: customer.id },
    });

    const id = newGuid();
    expect(await register(key, id)).toMatchObject({ customerId: customer.id, customerName: customer.name });
    expect(await changesOf(server, id)).toMatchObject([{ action: 'device-registered', after: { customerId: customer.id } }]);
  });

  it('yield to the customer that an agent names, and leave devices that are registered already where they are', async () => {
    const caller = await newCaller();
    const key = await newKey(caller);
    const [ofKey, named] = [await createCustomer(server, { tenantId: tenant.id }), await createCustomer(server, { tenantId: tenant.id })];
    const [free, chosen] = [newGuid(), newGuid()];
    expect((await register(key, free)).customerId).toBeNull();
    await choose(caller, key, ofKey.id);
    expect((await register(key, free)).customerId).toBeNull();
    expect((await register(key, chosen, { customerId: named.id })).customerId).toBe(named.id);
    await choose(caller, key, null);
    expect((await register(key, newGuid())).customerId).toBeNull();
  });

  it('end with the customer: the key goes on without one', async () => {
    const caller = await newCaller();
    const key = await newKey(caller);
    const customer = await createCustomer(server, { tenantId: tenant.id });
    await choose(caller, key, customer.id);
    expect((await server.client().delete(`/api/v1/customers/${customer.id}`, inTenant())).status).toBe(204);
    expect((await caller.get(pathOf(key), inTenant())).body).toEqual({ customerId: null });
    expect((await register(key, newGuid())).customerId).toBeNull();
  });

  it('are those of the tenant, and of keys that the caller may change', async () => {
    const caller = await newCaller();
    const key = await newKey(caller);
    const foreign = await createCustomer(server, { tenantId: (await createTenant(server)).id });
    for (const customerId of [foreign.id, newGuid(), 'x']) {
      expect(wrongFieldsOf(await choose(caller, key, customerId))).toEqual(['customerId']);
    }
    const other = await newCaller();
    const own = await createCustomer(server, { tenantId: tenant.id });
    expect((await choose(other, key, own.id)).status).toBe(403);
    expect((await other.get(pathOf(key), inTenant())).status).toBe(403);
    expect((await choose(other, { id: newGuid(), keySecret: '' }, own.id)).status).toBe(404);
    const installer = await accountWith(server, tenant, [Permission.InstallerKeyManageAll, at.tenant(tenant)]);
    expect((await choose(installer, key, own.id)).status).toBe(403);
    const manager = await accountWith(
      server,
      tenant,
      [Permission.InstallerKeyManageAll, at.tenant(tenant)],
      [Permission.TenantCustomersWrite, at.tenant(tenant)],
    );
    expect((await choose(manager, key, own.id)).status).toBe(200);
  });
});
