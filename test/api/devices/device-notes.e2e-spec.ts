import { describe, expect, it } from 'vitest';

import { Permission, PermissionEffect } from '../../../src/access/authorization/permissions/permission.js';
import type { DeviceSearchResponseDto } from '../../../src/devices/devices/device.dto.js';
import {
  MAXIMUM_FIELDS,
  type DeviceFieldDto,
  type DeviceFieldsResponseDto,
  type ListedValuesResponseDto,
} from '../../../src/devices/inventory/device-field.dto.js';
import { DeviceFieldValue } from '../../../src/devices/inventory/device-field.entity.js';
import type { Tenant } from '../../../src/tenants/tenants/tenant.entity.js';
import type { ApiAnswer, ApiClient } from '../../support/application/api-client.js';
import { accountWith, changesOf, type Right } from '../../support/callers/callers.js';
import { whileWaiting } from '../../support/callers/while-waiting.js';
import { at, createDevice, createTenant } from '../../support/fixtures/factories.js';
import { testServer, testTenant } from '../../support/setup/test-server.js';

const FIELDS = '/api/inventory/fields';
const notesOf = (deviceId: string): string => `/api/inventory/devices/${deviceId}/notes`;

describe('fields and notes of devices', () => {
  const server = testServer();
  const tenant = testTenant(server);

  const inTenant = (of: Tenant) => ({ query: { tenantId: of.id } });
  const caller = (...rights: readonly Right[]): Promise<ApiClient> => accountWith(server, tenant, ...rights);

  async function define(body: object, of: Tenant = tenant): Promise<DeviceFieldDto> {
    const answer = await server.client().post(FIELDS, { ...inTenant(of), body });
    expect([answer.status, answer.body]).toEqual([201, expect.objectContaining(body)]);
    return answer.as<DeviceFieldDto>();
  }

  async function namesIn(of: Tenant): Promise<string[]> {
    const answer = await server.client().get(FIELDS, inTenant(of));
    return answer.as<DeviceFieldsResponseDto>().items.map(({ name }) => name);
  }

  function write(deviceId: string, body: object, client = server.client()): Promise<ApiAnswer> {
    return client.patch(notesOf(deviceId), { body });
  }

  async function found(searchText: string, client = server.client()): Promise<string[]> {
    const answer = await client.post('/api/v1/devices/search', { body: { searchText, page: 0, pageSize: 100 } });
    expect(answer.status).toBe(200);
    return (answer.as<DeviceSearchResponseDto>().items ?? []).map(({ id }) => id);
  }

  it('refuses a value of a field that is being deleted', async () => {
    const own = await createTenant(server);
    const field = await define({ name: 'Rack', type: 'Text' }, own);
    const device = await createDevice(server, { tenantId: own.id });
    const answer = await whileWaiting(server, `DELETE FROM device_fields WHERE id = '${field.id}'`, () =>
      write(device.id, { values: [{ fieldId: field.id, value: 'B12' }] }),
    );
    expect([answer.status, answer.body]).toEqual([
      400,
      expect.objectContaining({ errors: { 'values[0].fieldId': ["The device's tenant has no such field."] } }),
    ]);
  });

  it('are defined, moved and deleted in their order, each with an entry in the change log', async () => {
    const own = await createTenant(server);
    const [rack, owner, site] = [
      await define({ name: 'Rack', type: 'Text' }, own),
      await define({ name: 'Owner', type: 'Text', isListed: true }, own),
      await define({ name: 'Site', type: 'Choice', choices: ['Berlin', 'Bern'] }, own),
    ];
    expect([rack.position, owner.position, site.position]).toEqual([0, 1, 2]);

    const moved = await server.client().put(`${FIELDS}/${site.id}`, { ...inTenant(own), body: { name: 'Place', position: 0 } });
    expect([moved.status, moved.body]).toEqual([200, { ...site, name: 'Place', position: 0 }]);
    expect(await namesIn(own)).toEqual(['Place', 'Rack', 'Owner']);
    expect((await server.client().delete(`${FIELDS}/${rack.id}`, inTenant(own))).status).toBe(204);
    expect(await namesIn(own)).toEqual(['Place', 'Owner']);
    expect((await server.client().get(`${FIELDS}/${owner.id}`, inTenant(own))).body).toMatchObject({ position: 1, isListed: true });
    expect((await changesOf(server, site.id)).map(({ action }) => action)).toEqual(['device-field-created', 'device-field-updated']);
    expect((await changesOf(server, rack.id)).map(({ action }) => action)).toEqual(['device-field-created', 'device-field-deleted']);
  });

  it('have a name once, choices only where they choose, and a limit that parallel requests keep', async () => {
    const own = await createTenant(server);
    await define({ name: 'Rack', type: 'Text' }, own);
    const post = (body: object) => server.client().post(FIELDS, { ...inTenant(own), body });
    expect((await post({ name: 'Rack', type: 'Number' })).status).toBe(409);
    expect((await post({ name: 'A', type: 'Choice' })).status).toBe(400);
    expect((await post({ name: 'A', type: 'Text', choices: ['x'] })).status).toBe(400);
    const wanted = Array.from({ length: MAXIMUM_FIELDS + 3 }, (_, number) => post({ name: `Field ${number}`, type: 'Text' }));
    const statuses = (await Promise.all(wanted)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(MAXIMUM_FIELDS - 1);
    expect(statuses.filter((status) => status === 400)).toHaveLength(4);
    expect(await namesIn(own)).toHaveLength(MAXIMUM_FIELDS);
  });

  it('hold values by type, in the order of the fields, and keep what a change leaves out', async () => {
    const own = await createTenant(server);
    const device = await createDevice(server, { tenantId: own.id });
    const bought = await define({ name: 'Bought', type: 'Date' }, own);
    const units = await define({ name: 'Units', type: 'Number' }, own);
    const values = [
      { fieldId: units.id, value: ' 04.50 ' },
      { fieldId: bought.id, value: '2026-02-28' },
    ];
    const answer = await write(device.id, { note: 'Behind the door.\n\n', values });
    const stored = {
      note: 'Behind the door.',
      values: [
        { fieldId: bought.id, value: '2026-02-28' },
        { fieldId: units.id, value: '4.5' },
      ],
    };
    expect([answer.status, answer.body]).toEqual([200, stored]);
    expect((await write(device.id, { values: [{ fieldId: units.id, value: ' ' }] })).body).toEqual({
      ...stored,
      values: [stored.values[0]],
    });
    expect((await write(device.id, { note: null })).body).toEqual({ note: '', values: [stored.values[0]] });
    const wrong = await write(device.id, { note: 'x', values: [{ fieldId: bought.id, value: '2026-02-30' }] });
    expect([wrong.status, wrong.body]).toEqual([
      400,
      expect.objectContaining({ errors: { 'values[0].value': [expect.stringContaining('"Bought" must be a date')] } }),
    ]);
    expect((await server.client().get(notesOf(device.id))).body).toEqual({ note: '', values: [stored.values[0]] });
    expect(await changesOf(server, device.id)).toEqual([
      {
        action: 'device-notes-updated',
        before: { note: '', fields: {} },
        after: { note: 'Behind the door.', fields: { Bought: '2026-02-28', Units: '4.5' } },
      },
      { action: 'device-notes-updated', before: { fields: { Units: '4.5' } }, after: { fields: {} } },
      { action: 'device-notes-updated', before: { note: 'Behind the door.' }, after: { note: '' } },
    ]);
  });

  it('keep a value that is no choice any more, but take no such value', async () => {
    const own = await createTenant(server);
    const [device, other] = [await createDevice(server, { tenantId: own.id }), await createDevice(server, { tenantId: own.id })];
    const site = await define({ name: 'Site', type: 'Choice', choices: ['Bern', 'Bonn'] }, own);
    const values = [{ fieldId: site.id, value: 'Bern' }];
    await write(device.id, { values });
    await server.client().put(`${FIELDS}/${site.id}`, { ...inTenant(own), body: { name: 'Site', choices: ['Bonn'] } });
    expect((await write(device.id, { note: 'Moved', values })).body).toEqual({ note: 'Moved', values });
    expect((await write(other.id, { values })).status).toBe(400);
  });

  it('write nothing to the change log for what is stored already', async () => {
    const device = await createDevice(server, { tenantId: tenant.id });
    await write(device.id, { note: 'Once' });
    expect((await write(device.id, { note: 'Once' })).status).toBe(200);
    expect(await changesOf(server, device.id)).toHaveLength(1);
  });

  it('take notes of 10,000 characters and no longer ones', async () => {
    const device = await createDevice(server, { tenantId: tenant.id });
    expect((await write(device.id, { note: 'ä'.repeat(10_000) })).status).toBe(200);
    expect((await write(device.id, { note: 'ä'.repeat(10_001) })).status).toBe(400);
  });

  it('are found by the device search, until the field or the note is gone', async () => {
    const own = await createTenant(server);
    const field = await define({ name: 'Inventory number', type: 'Text' }, own);
    const device = await createDevice(server, { tenantId: own.id });
    const other = await createDevice(server, { tenantId: own.id });
    await write(device.id, { note: 'Lease ends with contract KQ-7731.', values: [{ fieldId: field.id, value: 'INV-0815-Z' }] });
    expect(await found('contract kq-77')).toEqual([device.id]);
    expect(await found('inv-0815')).toEqual([device.id]);
    expect(await found('inv_0815')).toEqual([]);
    expect(await found(other.name)).toContain(other.id);
    await server.client().delete(`${FIELDS}/${field.id}`, inTenant(own));
    expect(await found('inv-0815')).toEqual([]);
    expect(await server.dataSource.manager.countBy(DeviceFieldValue, { fieldId: field.id })).toBe(0);
    await write(device.id, { note: null });
    expect(await found('contract kq-77')).toEqual([]);
  });

  it('are read and found only by callers who may read the device, and written with device.alias.write', async () => {
    const field = await define({ name: 'Seat', type: 'Text', isListed: true });
    const hidden = await define({ name: 'Supplier', type: 'Text' });
    const [open, closed] = [await createDevice(server, { tenantId: tenant.id }), await createDevice(server, { tenantId: tenant.id })];
    for (const { id } of [open, closed]) {
      const values = [field, hidden].map((of) => ({ fieldId: of.id, value: 'Window Q9' }));
      expect((await write(id, { note: 'Zebra crossing', values })).status).toBe(200);
    }
    const reader = await caller(
      [Permission.DeviceRead, at.tenant(tenant)],
      [Permission.DeviceRead, at.device(closed), PermissionEffect.Deny],
    );
    expect(await found('zebra cro', reader)).toEqual([open.id]);
    expect(await found('window q9', reader)).toEqual([open.id]);
    expect((await reader.get(notesOf(open.id))).status).toBe(200);
    expect((await reader.get(notesOf(closed.id))).status).toBe(403);
    expect((await write(open.id, { note: 'x' }, reader)).status).toBe(403);
    const listed = await reader.post('/api/inventory/devices/values', { body: { deviceIds: [open.id, closed.id] } });
    expect(listed.as<ListedValuesResponseDto>().items).toEqual([
      { deviceId: open.id, values: [{ fieldId: field.id, value: 'Window Q9' }] },
    ]);

    const writer = await caller([Permission.DeviceAliasWrite, at.device(open)]);
    expect((await write(open.id, { note: 'Lion' }, writer)).status).toBe(200);
    expect((await write(closed.id, { note: 'Lion' }, writer)).status).toBe(403);
  });

  it('stay within their tenant', async () => {
    const foreign = await createTenant(server);
    const field = await define({ name: 'Only here', type: 'Text' }, foreign);
    const device = await createDevice(server, { tenantId: foreign.id });
    expect((await write(device.id, { note: 'Giraffe 4711', values: [{ fieldId: field.id, value: 'Okapi 4711' }] })).status).toBe(200);

    const reader = await caller([Permission.DeviceRead, at.tenant(tenant)], [Permission.DeviceAliasWrite, at.tenant(tenant)]);
    expect(await found('giraffe 4711', reader)).toEqual([]);
    expect(await found('okapi 4711', reader)).toEqual([]);
    expect((await reader.get(notesOf(device.id))).status).toBe(404);
    expect((await write(device.id, { note: 'x' }, reader)).status).toBe(404);
    expect((await reader.get(`${FIELDS}/${field.id}`, inTenant(tenant))).status).toBe(404);
    const own = await createDevice(server, { tenantId: tenant.id });
    const wrong = await write(own.id, { values: [{ fieldId: field.id, value: 'x' }] }, reader);
    expect([wrong.status, wrong.body]).toEqual([400, expect.objectContaining({ errors: { 'values[0].fieldId': [expect.anything()] } })]);
  });
});
