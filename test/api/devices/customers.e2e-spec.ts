import { describe, expect, it } from 'vitest';

import { viewerHub } from '#libs/contracts';

import { Permission, PermissionEffect } from '../../../src/access/authorization/permissions/permission.js';
import { PermissionAssignment } from '../../../src/access/permission-assignments/permission-assignment.entity.js';
import type { CustomerDto, CustomersResponseDto } from '../../../src/devices/customers/customer.dto.js';
import { Customer } from '../../../src/devices/customers/customer.entity.js';
import type { DeviceResponseDto } from '../../../src/devices/devices/device.dto.js';
import { Device } from '../../../src/devices/devices/device.entity.js';
import { MAXIMUM_NAMED_DEVICES } from '../../../src/devices/devices/locked-devices.js';
import { EMPTY_GUID, newGuid } from '../../../src/platform/common/identifiers/guid.js';
import type { Tenant } from '../../../src/tenants/tenants/tenant.entity.js';
import { TestViewer } from '../../hubs/viewer-client.js';
import type { ApiClient } from '../../support/application/api-client.js';
import { ROOT_KEY } from '../../support/application/app.js';
import { accountWith, changesOf, statusesOf, type Right } from '../../support/callers/callers.js';
import { eventually } from '../../support/eventually.js';
import { at, createCustomer, createDevice, createTenant, createUser, grant, holder } from '../../support/fixtures/factories.js';
import { testServer, testTenant } from '../../support/setup/test-server.js';

const PATH = '/api/v1/customers';

describe('customers', () => {
  const server = testServer();
  const tenant = testTenant(server);
  const foreign = testTenant(server);

  const inTenant = (of: Tenant = tenant) => ({ query: { tenantId: of.id } });
  const create = (client: ApiClient, body: object) => client.post(PATH, { ...inTenant(), body });
  const assign = (client: ApiClient, customerId: string, body: object) =>
    client.post(`${PATH}/${customerId}/devices`, { ...inTenant(), body });

  const caller = (...rights: readonly Right[]): Promise<ApiClient> => accountWith(server, tenant, ...rights);

  async function customerOf(deviceId: string): Promise<string | null> {
    return (await server.dataSource.manager.findOneByOrFail(Device, { id: deviceId })).customerId;
  }

  const logOf = (targetId: string) => changesOf(server, targetId);

  describe('as a resource', () => {
    it('are created, read, changed and deleted, each with an entry in the change log', async () => {
      const root = server.client();
      const answer = await create(root, { name: 'Acme', description: 'Machines', ignored: true });
      expect(answer.status).toBe(201);
      const created = answer.as<CustomerDto>();
      expect(created).toEqual({
        id: expect.any(String),
        name: 'Acme',
        description: 'Machines',
        notes: null,
        createdAt: expect.any(String),
        deviceCount: 0,
      });
      const path = `${PATH}/${created.id}`;
      expect((await root.get(path, inTenant())).body).toEqual(created);

      await createDevice(server, { tenantId: tenant.id, customerId: created.id });
      const updated = await root.put(path, { ...inTenant(), body: { NAME: 'Acme Ltd', notes: 'Since 1949' } });
      expect(updated.status).toBe(200);
      expect(updated.body).toEqual({ ...created, name: 'Acme Ltd', notes: 'Since 1949', deviceCount: 1 });
      expect((await root.get(path, inTenant())).body).toEqual(updated.body);

      expect((await root.delete(path, inTenant())).status).toBe(204);
      expect((await root.get(path, inTenant())).status).toBe(404);
      expect((await root.delete(path, inTenant())).status).toBe(404);
      expect(await logOf(created.id)).toEqual([
        { action: 'customer-created', before: null, after: { name: 'Acme', description: 'Machines' } },
        {
          action: 'customer-updated',
          before: { name: 'Acme', description: 'Machines' },
          after: { name: 'Acme Ltd', description: 'Machines', notes: 'Since 1949' },
        },
        {
          action: 'customer-deleted',
          before: { name: 'Acme Ltd', description: 'Machines', notes: 'Since 1949', deviceCount: 1, deviceIds: [expect.any(String)] },
          after: null,
        },
      ]);
      const log = await root.get('/api/v1/authorization-change-logs', { query: { tenantId: tenant.id, searchText: created.id } });
      expect(log.body).toMatchObject({ totalItems: 3 });
    });

    it('are listed by name within the tenant, each with its number of devices', async () => {
      const home = await createTenant(server);
      const [b, a] = [
        await createCustomer(server, { tenantId: home.id, name: 'B' }),
        await createCustomer(server, { tenantId: home.id, name: 'A' }),
      ];
      await createCustomer(server, { tenantId: foreign.id, name: 'AA' });
      for (let index = 0; index < 3; index += 1) await createDevice(server, { tenantId: home.id, customerId: b.id });
      const { items } = (await server.client().get(PATH, inTenant(home))).as<CustomersResponseDto>();
      expect(items.map(({ id, deviceCount }) => [id, deviceCount])).toEqual([
        [a.id, 0],
        [b.id, 3],
      ]);
    });

    it('are refused without the tenant in the query, with a sentence that says where it belongs', async () => {
      const { status, body } = await server.client().post(PATH, { body: { tenantId: tenant.id, name: 'Acme' } });
      expect([status, body]).toEqual([
        400,
        expect.objectContaining({ detail: 'The query parameter tenantId is required: name the tenant by its id, which is not all zeros.' }),
      ]);
    });

    it('have unique names in a tenant, which differ by case', async () => {
      const root = server.client();
      const first = (await create(root, { name: 'Twice' })).as<CustomerDto>();
      const second = await create(root, { name: 'Twice' });
      expect([second.status, second.body]).toEqual([
        409,
        { type: 'about:blank', title: 'Conflict.', status: 409, detail: 'A customer with this name already exists.' },
      ]);
      const other = (await create(root, { name: 'twice' })).as<CustomerDto>();
      expect((await root.put(`${PATH}/${other.id}`, { ...inTenant(), body: { name: 'Twice' } })).status).toBe(409);
      expect((await root.put(`${PATH}/${first.id}`, { ...inTenant(), body: { name: 'Twice' } })).status).toBe(200);
      expect((await root.post(PATH, { ...inTenant(foreign), body: { name: 'Twice' } })).status).toBe(201);
    });

    it('are created once when parallel calls use the same name', async () => {
      const root = server.client();
      const answers = await Promise.all(Array.from({ length: 8 }, () => create(root, { name: 'At once' })));
      expect(statusesOf(answers)).toEqual([201, ...Array.from({ length: 7 }, () => 409)]);
      expect(await server.dataSource.manager.countBy(Customer, { tenantId: tenant.id, name: 'At once' })).toBe(1);
    });

    it('accept texts of the maximum length', async () => {
      const body = { name: 'x'.repeat(100), description: 'y'.repeat(500), notes: 'z'.repeat(500) };
      expect((await create(server.client(), body)).body).toMatchObject(body);
    });
  });

  describe('and their devices', () => {
    it('are taken from their former customer, removed again, and logged by their ids', async () => {
      const root = server.client();
      const [from, to] = [await createCustomer(server, { tenantId: tenant.id }), await createCustomer(server, { tenantId: tenant.id })];
      const free = await createDevice(server, { tenantId: tenant.id });
      const taken = await createDevice(server, { tenantId: tenant.id, customerId: from.id });
      const leaving = await createDevice(server, { tenantId: tenant.id, customerId: to.id });
      const staying = await createDevice(server, { tenantId: tenant.id, customerId: to.id });
      const elsewhere = await createDevice(server, { tenantId: tenant.id, customerId: from.id });

      const answer = await assign(root, to.id, {
        deviceIds: [free.id, taken.id.toUpperCase(), taken.id, staying.id],
        removeDeviceIds: [leaving.id, elsewhere.id, newGuid()],
      });
      expect([answer.status, answer.text]).toEqual([204, '']);
      expect(await Promise.all([free, taken, leaving, staying, elsewhere].map(({ id }) => customerOf(id)))).toEqual([
        to.id,
        to.id,
        null,
        to.id,
        from.id,
      ]);
      expect((await root.get(`${PATH}/${to.id}`, inTenant())).body).toMatchObject({ deviceCount: 3 });
      const [entry, ...more] = await logOf(to.id);
      expect(more).toEqual([]);
      expect(entry).toEqual({
        action: 'customer-devices-assigned',
        before: { formerCustomers: [{ deviceId: taken.id, customerId: from.id }] },
        after: { count: 3, addedDeviceIds: expect.any(Array), removedDeviceIds: [leaving.id] },
      });
      expect((entry.after as { addedDeviceIds: string[] }).addedDeviceIds.sort()).toEqual([free.id, taken.id].sort());
    });

    it('stay unchanged, without a log entry, when there is nothing to do', async () => {
      const customer = await createCustomer(server, { tenantId: tenant.id });
      const device = await createDevice(server, { tenantId: tenant.id, customerId: customer.id });
      const root = server.client();
      for (const body of [
        { deviceIds: [], removeDeviceIds: [] },
        { deviceIds: [device.id], removeDeviceIds: null },
        { deviceIds: [], removeDeviceIds: [newGuid()] },
      ]) {
        expect((await assign(root, customer.id, body)).status).toBe(204);
      }
      expect(await logOf(customer.id)).toEqual([]);
    });

    it('all stay where they are when one does not belong to the tenant', async () => {
      const customer = await createCustomer(server, { tenantId: tenant.id });
      const mine = await createDevice(server, { tenantId: tenant.id });
      const theirs = await createDevice(server, { tenantId: foreign.id });
      const wordings = new Set<string>();
      for (const strange of [theirs.id, newGuid(), EMPTY_GUID]) {
        const answer = await assign(server.client(), customer.id, { deviceIds: [mine.id, strange] });
        expect([answer.status, answer.body]).toEqual([400, expect.objectContaining({ errors: { deviceIds: [expect.any(String)] } })]);
        wordings.add(answer.text);
      }
      expect(wordings.size).toBe(1);
      expect([await customerOf(mine.id), await customerOf(theirs.id)]).toEqual([null, null]);
      expect(await logOf(customer.id)).toEqual([]);
    });

    it('cannot be added and removed in one call', async () => {
      const customer = await createCustomer(server, { tenantId: tenant.id });
      const device = await createDevice(server, { tenantId: tenant.id });
      const answer = await assign(server.client(), customer.id, { deviceIds: [device.id], removeDeviceIds: [device.id] });
      expect([answer.status, answer.body]).toEqual([400, expect.objectContaining({ errors: { removeDeviceIds: [expect.any(String)] } })]);
      expect(await customerOf(device.id)).toBeNull();
    });

    it('can be a thousand in one call', async () => {
      const customer = await createCustomer(server, { tenantId: tenant.id });
      const ids = Array.from({ length: 1_000 }, newGuid);
      await server.dataSource.query(`INSERT INTO devices (id, tenant_id, name) SELECT unnest($1::uuid[]), $2, 'many'`, [ids, tenant.id]);
      expect((await assign(server.client(), customer.id, { deviceIds: ids })).status).toBe(204);
      expect(await server.dataSource.manager.countBy(Device, { customerId: customer.id })).toBe(1_000);
      expect((await assign(server.client(), customer.id, { deviceIds: [], removeDeviceIds: ids })).status).toBe(204);
      expect(await server.dataSource.manager.countBy(Device, { customerId: customer.id })).toBe(0);
    });

    it('end with one customer when two calls add them in parallel, and both calls succeed', async () => {
      const [a, b] = [await createCustomer(server, { tenantId: tenant.id }), await createCustomer(server, { tenantId: tenant.id })];
      const devices = await Promise.all(Array.from({ length: 20 }, () => createDevice(server, { tenantId: tenant.id })));
      const ids = devices.map(({ id }) => id);
      const root = server.client();
      const answers = await Promise.all(
        Array.from({ length: 6 }, (_, index) =>
          assign(root, index % 2 === 0 ? a.id : b.id, { deviceIds: index % 3 === 0 ? ids : ids.toReversed() }),
        ),
      );
      expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 6 }, () => 204));
      const owners = new Set(await Promise.all(ids.map(customerOf)));
      expect([...owners]).toEqual([owners.has(a.id) ? a.id : b.id]);
    });

    it('have no customer after theirs is deleted', async () => {
      const customer = await createCustomer(server, { tenantId: tenant.id });
      const device = await createDevice(server, { tenantId: tenant.id, customerId: customer.id });
      expect((await server.client().delete(`${PATH}/${customer.id}`, inTenant())).status).toBe(204);
      expect(await customerOf(device.id)).toBeNull();
      expect((await server.client().get(`/api/v1/devices/${device.id}`)).body).toMatchObject({ customerId: null, customerName: null });
    });

    it('are removed in several transactions when there are many, so that reports need not wait', async () => {
      const customer = await createCustomer(server, { tenantId: tenant.id });
      const ids = Array.from({ length: 2 * MAXIMUM_NAMED_DEVICES + 1 }, newGuid).sort();
      await server.dataSource.query(`INSERT INTO devices (id, tenant_id, customer_id, name) SELECT unnest($1::uuid[]), $2, $3, 'many'`, [
        ids,
        tenant.id,
        customer.id,
      ]);
      expect((await server.client().delete(`${PATH}/${customer.id}`, inTenant())).status).toBe(204);
      const writes = await server.dataSource.query<{ customer_id: string | null; count: number }[]>(
        'SELECT customer_id, count(*)::integer AS count FROM devices WHERE id = ANY($1::uuid[]) GROUP BY xmin, customer_id ORDER BY count',
        [ids],
      );
      expect(writes).toEqual([1, MAXIMUM_NAMED_DEVICES, MAXIMUM_NAMED_DEVICES].map((count) => ({ customer_id: null, count })));
      const removed = (from: number, to: number) => ({
        action: 'customer-devices-assigned',
        after: { count: to - from, addedDeviceIds: [], removedDeviceIds: ids.slice(from, to) },
      });
      expect(await logOf(customer.id)).toMatchObject([
        removed(0, MAXIMUM_NAMED_DEVICES),
        removed(MAXIMUM_NAMED_DEVICES, 2 * MAXIMUM_NAMED_DEVICES),
        { action: 'customer-deleted', before: { deviceCount: 1, deviceIds: ids.slice(-1) } },
      ]);
    });
  });

  describe('as scopes of permissions', () => {
    it('apply to a device from the next request after it was added until it is removed, without a notification', async () => {
      await server.dataSource.query('ALTER TABLE devices DISABLE TRIGGER invalidate_device');
      const customer = await createCustomer(server, { tenantId: tenant.id });
      const device = await createDevice(server, { tenantId: tenant.id });
      const technician = await caller([Permission.DeviceRead, at.customer(customer)]);
      const status = async () => (await technician.get(`/api/v1/devices/${device.id}`)).status;
      const listed = async () => (await technician.get('/api/v1/devices')).as<DeviceResponseDto[]>().map(({ id }) => id);
      const root = server.client();

      expect([await status(), await listed()]).toEqual([403, []]);
      await assign(root, customer.id, { deviceIds: [device.id] });
      expect([await status(), await listed()]).toEqual([200, [device.id]]);
      await assign(root, (await createCustomer(server, { tenantId: tenant.id })).id, { deviceIds: [device.id] });
      expect([await status(), await listed()]).toEqual([403, []]);
      await assign(root, customer.id, { deviceIds: [device.id] });
      expect(await status()).toBe(200);
      await assign(root, customer.id, { deviceIds: [], removeDeviceIds: [device.id] });
      expect([await status(), await listed()]).toEqual([403, []]);
      await assign(root, customer.id, { deviceIds: [device.id] });
      expect(await status()).toBe(200);
      await root.delete(`${PATH}/${customer.id}`, inTenant());
      expect([await status(), await listed()]).toEqual([403, []]);
      await server.dataSource.query('ALTER TABLE devices ENABLE TRIGGER invalidate_device');
    });

    it('are deleted with their assignments, each of which is logged', async () => {
      const customer = await createCustomer(server, { tenantId: tenant.id });
      const user = await createUser(server, { tenantId: tenant.id });
      const allow = await grant(server, { principal: holder.user(user), permission: Permission.DeviceRead, scope: at.customer(customer) });
      const deny = await grant(server, {
        principal: holder.user(user),
        permission: Permission.DeviceDelete,
        scope: at.customer(customer),
        effect: PermissionEffect.Deny,
      });
      const kept = await grant(server, { principal: holder.user(user), permission: Permission.DeviceRead, scope: at.tenant(tenant) });
      expect((await server.client().delete(`${PATH}/${customer.id}`, inTenant())).status).toBe(204);
      expect(await server.dataSource.manager.findBy(PermissionAssignment, { principalId: user.id })).toMatchObject([{ id: kept.id }]);
      for (const { id, permissionName, effect } of [allow, deny]) {
        expect(await logOf(id)).toMatchObject([
          { action: 'permission-assignment-deleted', before: { permissionName, effect, principalId: user.id, isEnabled: true } },
        ]);
      }
    });
  });

  describe('do not let a caller gain rights', () => {
    const READ_REQUIRED = 'Moving a device requires device.read on it: you may not read all of these devices.';

    it('by adding devices that it may not read', async () => {
      const customer = await createCustomer(server, { tenantId: tenant.id });
      const [readable, hidden] = [await createDevice(server, { tenantId: tenant.id }), await createDevice(server, { tenantId: tenant.id })];
      const client = await caller(
        [Permission.TenantCustomersWrite, at.tenant(tenant)],
        [Permission.DeviceTerminalUse, at.customer(customer)],
        [Permission.DeviceRead, at.tenant(tenant)],
        [Permission.DeviceRead, at.device(hidden), PermissionEffect.Deny],
      );
      const refused = await assign(client, customer.id, { deviceIds: [readable.id, hidden.id] });
      expect([refused.status, refused.body]).toEqual([403, expect.objectContaining({ detail: READ_REQUIRED })]);
      expect([await customerOf(readable.id), await customerOf(hidden.id)]).toEqual([null, null]);
      expect(await logOf(customer.id)).toEqual([]);
      expect((await assign(client, customer.id, { deviceIds: [readable.id] })).status).toBe(204);

      // Devices that are already members are not added, and removed ones need not be readable.
      await assign(server.client(), customer.id, { deviceIds: [hidden.id] });
      expect((await assign(client, customer.id, { deviceIds: [hidden.id] })).status).toBe(204);
      expect((await assign(client, customer.id, { deviceIds: [], removeDeviceIds: [hidden.id] })).status).toBe(204);
    });

    it('by adding devices of another tenant, which answer as unknown', async () => {
      const customer = await createCustomer(server, { tenantId: tenant.id });
      const theirs = await createDevice(server, { tenantId: foreign.id });
      const client = await caller([Permission.TenantCustomersWrite, at.tenant(tenant)]);
      expect((await assign(client, customer.id, { deviceIds: [theirs.id] })).status).toBe(400);
    });

    it('by moving devices away from a Deny of its own', async () => {
      const [denied, other] = [
        await createCustomer(server, { tenantId: tenant.id }),
        await createCustomer(server, { tenantId: tenant.id }),
      ];
      const device = await createDevice(server, { tenantId: tenant.id, customerId: denied.id });
      const rights: Right[] = [
        [Permission.TenantCustomersWrite, at.tenant(tenant)],
        [Permission.DeviceRead, at.tenant(tenant)],
        [Permission.DeviceTerminalUse, at.tenant(tenant)],
        [Permission.DeviceTerminalUse, at.customer(denied), PermissionEffect.Deny],
      ];
      const client = await caller(...rights);
      const detail = 'Removing these devices would end a denial: the permission tenant.permissions.deny is required.';
      for (const answer of [
        await assign(client, other.id, { deviceIds: [device.id] }),
        await assign(client, denied.id, { deviceIds: [], removeDeviceIds: [device.id] }),
      ]) {
        expect([answer.status, answer.body]).toEqual([403, expect.objectContaining({ detail })]);
      }
      expect(await customerOf(device.id)).toBe(denied.id);

      const mayDeny = await caller(...rights, [Permission.TenantPermissionsDeny, at.tenant(tenant)]);
      expect((await assign(mayDeny, other.id, { deviceIds: [device.id] })).status).toBe(204);
    });

    it('by deleting a customer that carries a Deny', async () => {
      const customer = await createCustomer(server, { tenantId: tenant.id });
      const user = await createUser(server, { tenantId: tenant.id });
      const deny = await grant(server, {
        principal: holder.user(user),
        permission: Permission.DeviceTerminalUse,
        scope: at.customer(customer),
        effect: PermissionEffect.Deny,
      });
      const client = await caller([Permission.TenantCustomersWrite, at.tenant(tenant)]);
      const refused = await client.delete(`${PATH}/${customer.id}`, inTenant());
      expect([refused.status, refused.body]).toEqual([
        403,
        expect.objectContaining({
          detail: 'Deleting this customer would end a denial: the permission tenant.permissions.deny is required.',
        }),
      ]);
      expect(await server.dataSource.manager.existsBy(PermissionAssignment, { id: deny.id })).toBe(true);
      expect(await logOf(customer.id)).toEqual([]);

      const mayDeny = await caller(
        [Permission.TenantCustomersWrite, at.tenant(tenant)],
        [Permission.TenantPermissionsDeny, at.tenant(tenant)],
      );
      expect((await mayDeny.delete(`${PATH}/${customer.id}`, inTenant())).status).toBe(204);
    });
  });

  it('are pushed to subscribers of their devices: when a device is added, at a new name, and when it is removed', async () => {
    const customer = await createCustomer(server, { tenantId: tenant.id });
    const device = await createDevice(server, { tenantId: tenant.id });
    const viewer = await TestViewer.connect(server, { 'x-api-key': ROOT_KEY });
    try {
      await viewer.call(viewerHub.SubscribeToDeviceHeartbeats, [device.id]);
      const shows = (name: string | null) =>
        eventually(`the viewer sees ${name ?? 'no customer'}`, () => viewer.updates.at(-1)?.customerName === name);
      const root = server.client();
      await assign(root, customer.id, { deviceIds: [device.id] });
      await shows(customer.name);
      const renamed = newGuid();
      await root.put(`${PATH}/${customer.id}`, { ...inTenant(), body: { name: renamed } });
      await shows(renamed);
      await root.delete(`${PATH}/${customer.id}`, inTenant());
      await shows(null);
    } finally {
      await viewer.stop();
    }
  });
});
