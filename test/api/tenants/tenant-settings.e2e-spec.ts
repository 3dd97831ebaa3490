import { describe, expect, it } from 'vitest';

import { AuthorizationChangeLog } from '../../../src/access/authorization/change-log/change-log.entity.js';
import { Permission, PermissionEffect, type PermissionDefinition } from '../../../src/access/authorization/permissions/permission.js';
import type { DeploymentTagCapabilityResponseDto } from '../../../src/devices/deployment-options/deployment-options.dto.js';
import { newGuid } from '../../../src/platform/common/identifiers/guid.js';
import type { TenantSettingResponseDto } from '../../../src/tenants/tenant-settings/tenant-setting.dto.js';
import { MAXIMUM_TENANT_SETTINGS } from '../../../src/tenants/tenant-settings/tenant-settings.service.js';
import type { Tenant } from '../../../src/tenants/tenants/tenant.entity.js';
import type { ApiClient } from '../../support/application/api-client.js';
import {
  at,
  createCustomer,
  createDevice,
  createDeviceGroup,
  createServiceAccountWithKey,
  createTenant,
  grant,
  grantAll,
  holder,
  type Holder,
} from '../../support/fixtures/factories.js';
import { testServer } from '../../support/setup/test-server.js';

const PATH = '/api/v1/tenant-settings';
const UNSET = { appendInstanceId: null, instanceId: null, notifyUserOnSessionStart: null, requireApprovalForNewDeviceKeys: null };

const server = testServer();

/** A caller of the tenant with these permissions in it. */
async function caller(
  tenant: Tenant,
  ...permissions: PermissionDefinition[]
): Promise<{ readonly client: ApiClient; readonly who: Holder }> {
  const { account, key } = await createServiceAccountWithKey(server, { tenantId: tenant.id });
  const who = holder.serviceAccount(account);
  await grantAll(server, who, permissions, at.tenant(tenant));
  return { client: server.client({ 'x-api-key': key }), who };
}

describe('tenant settings', () => {
  const inTenant = (tenant: Pick<Tenant, 'id'>, rest: object = {}) => ({ query: { tenantId: tenant.id }, ...rest });
  const set = (client: ApiClient, tenant: Pick<Tenant, 'id'>, name: unknown, value: unknown) =>
    client.post(PATH, inTenant(tenant, { body: { name, value } }));

  async function logOf(tenant: Tenant) {
    const entries = await server.dataSource.manager.find(AuthorizationChangeLog, {
      where: { owningTenantId: tenant.id, targetType: 'TenantSetting' },
      order: { id: 'ASC' },
    });
    return entries.map(({ actionType, beforeJson, afterJson }) => ({
      actionType,
      before: beforeJson === null ? null : (JSON.parse(beforeJson) as unknown),
      after: afterJson === null ? null : (JSON.parse(afterJson) as unknown),
    }));
  }

  it('are all null in a new tenant, and a single one answers 204', async () => {
    const tenant = await createTenant(server);
    const root = server.client();
    expect((await root.get(PATH, inTenant(tenant))).as()).toEqual(UNSET);
    const one = await root.get(`${PATH}/instance-id`, inTenant(tenant));
    expect([one.status, one.text]).toEqual([204, '']);
  });

  it('are set, read, replaced by name and removed by a blank value', async () => {
    const tenant = await createTenant(server);
    const { client } = await caller(tenant, Permission.TenantSettingsRead, Permission.TenantSettingsWrite);

    const created = (await set(client, tenant, 'append-instance-id', ' TRUE ')).as<TenantSettingResponseDto>();
    expect(created).toEqual({ id: expect.any(String), name: 'append-instance-id', value: 'true' });
    expect((await client.get(`${PATH}/append-instance-id`, inTenant(tenant))).as()).toEqual(created);
    expect((await set(client, tenant, 'append-instance-id', 'false')).as()).toEqual({ ...created, value: 'false' });
    expect((await set(client, tenant, 'instance-id', ' Site_1.a-b ')).as()).toMatchObject({ value: 'Site_1.a-b' });
    expect((await client.get(PATH, inTenant(tenant))).as()).toEqual({ ...UNSET, appendInstanceId: false, instanceId: 'Site_1.a-b' });

    const cleared = await set(client, tenant, 'append-instance-id', '  ');
    expect([cleared.status, cleared.body]).toEqual([200, { id: null, name: 'append-instance-id', value: null }]);
    expect((await client.get(`${PATH}/append-instance-id`, inTenant(tenant))).status).toBe(204);
  });

  it('store unknown names, without white space around their values', async () => {
    const tenant = await createTenant(server);
    const root = server.client();
    expect((await set(root, tenant, 'Somebodys-own', '  red: #f00 ')).as()).toMatchObject({ name: 'Somebodys-own', value: 'red: #f00' });
    expect((await root.get(`${PATH}/Somebodys-own`, inTenant(tenant))).as()).toMatchObject({ value: 'red: #f00' });
    expect((await root.get(PATH, inTenant(tenant))).as()).toEqual(UNSET);
  });

  it('are changed together: null and blank clear a setting, an omitted one stays', async () => {
    const tenant = await createTenant(server);
    const root = server.client();
    await set(root, tenant, 'somebodys-own', 'stays');
    const put = (body: object) => root.put(PATH, inTenant(tenant, { body }));
    const all = { appendInstanceId: true, instanceId: 'site', notifyUserOnSessionStart: false, requireApprovalForNewDeviceKeys: true };
    expect((await put(all)).as()).toEqual(all);
    expect((await root.get(PATH, inTenant(tenant))).as()).toEqual(all);
    expect((await put({})).as()).toEqual(all);
    expect((await put({ appendInstanceId: null, instanceId: '' })).as()).toEqual({ ...all, appendInstanceId: null, instanceId: null });
    expect((await put(UNSET)).as()).toEqual(UNSET);
    expect((await root.get(`${PATH}/somebodys-own`, inTenant(tenant))).status).toBe(200);
  });

  it('can be deleted whether or not they are set', async () => {
    const tenant = await createTenant(server);
    const root = server.client();
    await set(root, tenant, 'instance-id', 'site');
    expect((await root.delete(`${PATH}/instance-id`, inTenant(tenant))).status).toBe(204);
    expect((await root.get(`${PATH}/instance-id`, inTenant(tenant))).status).toBe(204);
    expect((await root.delete(`${PATH}/instance-id`, inTenant(tenant))).status).toBe(204);
  });

  it.each([
    ['append-instance-id', 'yes', 'value'],
    ['notify-user-on-session-start', '1', 'value'],
    ['instance-id', 'Default', 'value'],
    ['instance-id', '.', 'value'],
    ['instance-id', '..', 'value'],
    ['instance-id', 'a/b', 'value'],
    ['instance-id', 'a\\b', 'value'],
    ['instance-id', 'a b', 'value'],
    ['instance-id', 'é', 'value'],
    ['', 'x', 'name'],
    ['a b', 'x', 'name'],
    ['a/b', 'x', 'name'],
  ])('refuse %j with the value %j', async (name, value, field) => {
    const tenant = await createTenant(server);
    const answer = await set(server.client(), tenant, name, value);
    expect(answer.status).toBe(400);
    expect(answer.body).toHaveProperty(['errors', field]);
    expect(await server.dataSource.query('SELECT 1 FROM tenant_settings WHERE tenant_id = $1', [tenant.id])).toEqual([]);
  });

  it('refuse a change with invalid members as a whole', async () => {
    const tenant = await createTenant(server);
    const root = server.client();
    await set(root, tenant, 'instance-id', 'site');
    const answer = await root.put(PATH, inTenant(tenant, { body: { appendInstanceId: true, instanceId: 'default' } }));
    expect(answer.status).toBe(400);
    expect(answer.body).toHaveProperty(['errors', 'instanceId']);
    expect((await root.get(PATH, inTenant(tenant))).as()).toEqual({ ...UNSET, instanceId: 'site' });
    expect((await root.put(PATH, inTenant(tenant, { body: { appendInstanceId: 'maybe' } }))).status).toBe(400);
  });

  it('refuse invalid names', async () => {
    const tenant = await createTenant(server);
    for (const name of ['a%20b', 'a_b', 'x'.repeat(101)]) {
      expect((await server.client().get(`${PATH}/${name}`, inTenant(tenant))).status).toBe(400);
      expect((await server.client().delete(`${PATH}/${name}`, inTenant(tenant))).status).toBe(400);
    }
  });

  it('are limited in number', async () => {
    const tenant = await createTenant(server);
    const root = server.client();
    await server.dataSource.query(
      `INSERT INTO tenant_settings (id, tenant_id, name, value) SELECT gen_random_uuid(), $1, 'n-' || i, 'v' FROM generate_series(2, $2::integer) AS i`,
      [tenant.id, MAXIMUM_TENANT_SETTINGS],
    );
    const answers = await Promise.all(['one', 'two', 'three'].map((name) => set(root, tenant, name, 'x')));
    expect(answers.map(({ status }) => `${status}`).sort()).toEqual(['200', '400', '400']);
    expect((await set(root, tenant, 'n-2', 'changed')).status).toBe(200);
  });

  it('can be set by parallel callers without a failure, one row per name', async () => {
    const tenant = await createTenant(server);
    const root = server.client();
    const values = Array.from({ length: 12 }, (_, i) => `value-${i}`);
    const answers = await Promise.all(values.map((value) => set(root, tenant, 'instance-id', value)));
    expect(answers.map(({ status }) => status)).toEqual(values.map(() => 200));
    const rows = await server.dataSource.query<{ value: string }[]>('SELECT value FROM tenant_settings WHERE tenant_id = $1', [tenant.id]);
    expect(rows).toHaveLength(1);
    const log = await logOf(tenant);
    expect(log.map(({ actionType }) => actionType)).toEqual([
      'tenant-setting-created',
      ...values.slice(1).map(() => 'tenant-setting-updated'),
    ]);
    expect(log.at(-1)?.after).toEqual({ name: 'instance-id', value: rows[0]?.value });
  });

  it('are logged with the value before and after, unless nothing changes', async () => {
    const tenant = await createTenant(server);
    const root = server.client();
    await set(root, tenant, 'instance-id', 'one');
    await set(root, tenant, 'instance-id', 'one');
    await set(root, tenant, 'instance-id', 'two');
    await set(root, tenant, 'instance-id', 'default');
    await root.delete(`${PATH}/instance-id`, inTenant(tenant));
    await root.delete(`${PATH}/instance-id`, inTenant(tenant));
    const state = (value: string) => ({ name: 'instance-id', value });
    expect(await logOf(tenant)).toEqual([
      { actionType: 'tenant-setting-created', before: null, after: state('one') },
      { actionType: 'tenant-setting-updated', before: state('one'), after: state('two') },
      { actionType: 'tenant-setting-deleted', before: state('two'), after: null },
    ]);
  });
});

describe('deployment options', () => {
  const OPTIONS = '/api/v1/deployment-options';
  const CAPABILITY = `${OPTIONS}/tag-capability`;

  it('come from the settings of the tenant', async () => {
    const tenant = await createTenant(server);
    const { client } = await caller(tenant, Permission.AgentInstall);
    const query = { tenantId: tenant.id };
    expect((await client.get(OPTIONS, { query })).as()).toEqual({ appendInstanceId: false, instanceId: null });
    await server.client().put(PATH, { query, body: { appendInstanceId: true, instanceId: 'site' } });
    expect((await client.get(OPTIONS, { query })).as()).toEqual({ appendInstanceId: true, instanceId: 'site' });
  });

  async function may(client: ApiClient, tenant: Tenant, body: object): Promise<boolean> {
    return (await client.post(CAPABILITY, { query: { tenantId: tenant.id }, body })).as<DeploymentTagCapabilityResponseDto>().allowed;
  }

  it('tell whether tags may be chosen: on the device, for the customer, or in the tenant', async () => {
    const tenant = await createTenant(server);
    const customer = await createCustomer(server, { tenantId: tenant.id });
    const another = await createCustomer(server, { tenantId: tenant.id });
    const device = await createDevice(server, { tenantId: tenant.id });
    const grouped = await createDevice(server, { tenantId: tenant.id });
    const group = await createDeviceGroup(server, { tenantId: tenant.id, devices: [grouped] });
    const ofCustomer = await createDevice(server, { tenantId: tenant.id, customerId: customer.id });
    const permission = Permission.DeviceTagsWrite;

    const { client: none } = await caller(tenant, Permission.AgentInstall);
    expect(await may(none, tenant, {})).toBe(false);

    const { client: everywhere, who: everyone } = await caller(tenant, Permission.AgentInstall, permission);
    expect(await may(everywhere, tenant, {})).toBe(true);
    expect(await may(everywhere, tenant, { deviceId: newGuid(), customerId: customer.id })).toBe(true);
    await grant(server, { principal: everyone, permission, scope: at.customer(customer), effect: PermissionEffect.Deny });
    expect(await may(everywhere, tenant, {})).toBe(true);
    expect(await may(everywhere, tenant, { customerId: customer.id })).toBe(false);
    expect(await may(everywhere, tenant, { deviceId: ofCustomer.id })).toBe(false);

    const { client: some, who } = await caller(tenant, Permission.AgentInstall);
    await grant(server, { principal: who, permission, scope: at.device(device) });
    await grant(server, { principal: who, permission, scope: at.deviceGroup(group) });
    await grant(server, { principal: who, permission, scope: at.customer(another) });
    expect(await may(some, tenant, {})).toBe(false);
    expect(await may(some, tenant, { deviceId: device.id })).toBe(true);
    expect(await may(some, tenant, { deviceId: grouped.id })).toBe(true);
    expect(await may(some, tenant, { deviceId: ofCustomer.id })).toBe(false);
    expect(await may(some, tenant, { deviceId: newGuid() })).toBe(false);
    expect(await may(some, tenant, { customerId: another.id })).toBe(true);
    expect(await may(some, tenant, { deviceId: newGuid(), customerId: another.id })).toBe(true);
    // A known device keeps its customer, whatever customer the request names.
    expect(await may(some, tenant, { deviceId: ofCustomer.id, customerId: another.id })).toBe(false);
  });

  it('treat a device of another tenant as a new one, and refuse a customer of another tenant like an unknown one', async () => {
    const [tenant, other] = [await createTenant(server), await createTenant(server)];
    const foreignDevice = await createDevice(server, { tenantId: other.id });
    const foreignCustomer = await createCustomer(server, { tenantId: other.id });
    const { account, key } = await createServiceAccountWithKey(server);
    const who = holder.serviceAccount(account);
    await grant(server, { principal: who, permission: Permission.AgentInstall, scope: at.tenant(tenant) });
    await grant(server, { principal: who, permission: Permission.DeviceTagsWrite, scope: at.customer(foreignCustomer) });
    await grant(server, { principal: who, permission: Permission.DeviceTagsWrite, scope: at.tenant(other) });
    const client = server.client({ 'x-api-key': key });
    expect(await may(client, tenant, { deviceId: foreignDevice.id })).toBe(false);
    const ask = (customerId: string) => client.post(CAPABILITY, { query: { tenantId: tenant.id }, body: { customerId } });
    const [foreign, unknown] = [await ask(foreignCustomer.id), await ask(newGuid())];
    expect(foreign.status).toBe(400);
    expect(foreign.body).toEqual(unknown.body);
  });
});
