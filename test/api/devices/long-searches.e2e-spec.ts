import { createHash } from 'node:crypto';

import pg from 'pg';
import { describe, expect, it, vi } from 'vitest';

import { deviceScopeCondition, type SqlCondition } from '../../../src/access/authorization/evaluation/device-scope.js';
import { RuleSet } from '../../../src/access/authorization/evaluation/rules.js';
import { Permission, PermissionEffect, PermissionScopeKind } from '../../../src/access/authorization/permissions/permission.js';
import type { DeviceSearchResponseDto } from '../../../src/devices/devices/device.dto.js';
import { findStatement, walkStatement } from '../../../src/devices/devices/devices.repository.js';
import { searchConditions, searchOrder, type SearchFilters } from '../../../src/devices/devices/search/device-search.js';
import { FilterMatchMode } from '../../../src/devices/devices/search/filter-match-mode.js';
import { newGuid } from '../../../src/platform/common/identifiers/guid.js';
import { accountWith } from '../../support/callers/callers.js';
import { at, createDevice, createTenant } from '../../support/fixtures/factories.js';
import { testServer } from '../../support/setup/test-server.js';

const PATH = '/api/v1/devices/search';

const EVERYTHING: SearchFilters = {
  searchText: null,
  hideOfflineDevices: false,
  filterDefinitions: null,
  tagIds: null,
  tagFilterMatchMode: FilterMatchMode.Any,
  deviceGroupIds: null,
  deviceGroupFilterMatchMode: FilterMatchMode.Any,
  customerIds: null,
  showOnlyUntaggedDevices: false,
  showOnlyUngroupedDevices: false,
};

/** The scope of a caller who may read all devices. */
const ANYWHERE: SqlCondition = { sql: 'TRUE', parameters: [] };

describe('device search among thousands of devices', () => {
  const server = testServer();

  /** The plan when PostgreSQL avoids these ways. It reads a table as small as that of a test whole, whatever indexes there are. */
  const planWithout = (ways: readonly string[], { sql, parameters }: SqlCondition): Promise<string> =>
    server.dataSource.transaction(async (manager) => {
      for (const way of ways) await manager.query(`SET LOCAL enable_${way} = off`);
      return JSON.stringify(await manager.query(`EXPLAIN (FORMAT JSON) ${sql}`, [...parameters]));
    });

  it('finds texts with an index, and answers at most 1000 at once', async () => {
    const large = await createTenant(server);
    await server.dataSource.query(
      `INSERT INTO devices (id, tenant_id, name, dns_host_name, mac_addresses)
       SELECT gen_random_uuid(), $1, 'machine ' || n, md5(n::text) || '.example.org', ARRAY[upper(left(md5(n::text), 12)), 'FFFFFFFFFFFF']
       FROM generate_series(1, 8000) n`,
      [large.id],
    );
    // Inserted rows wait in the pending list of the index until a vacuum.
    await server.dataSource.query('VACUUM ANALYZE devices, device_search_texts');
    const { manager } = server.dataSource;
    const address = createHash('md5').update('4321').digest('hex').slice(0, 12);
    for (const filter of [
      { searchText: 'machine 4321' },
      { filterDefinitions: [{ propertyName: 'name', operator: 'contains', value: 'ine 4321' }] },
      { filterDefinitions: [{ propertyName: 'macAddresses', operator: 'contains', value: address }] },
    ]) {
      const query = vi.spyOn(pg.Client.prototype, 'query');
      const answer = await server.client().post(PATH, { body: { ...filter, pageSize: 10 } });
      const calls: readonly (readonly unknown[])[] = query.mock.calls;
      const statements = calls.filter(([sql]) => typeof sql === 'string' && sql.includes('search_text'));
      query.mockRestore();
      expect(answer.body).toMatchObject({ totalItems: 1, items: [{ name: 'machine 4321' }] });
      expect(statements).toHaveLength(1);
      const [[sql, parameters]] = statements;
      expect(JSON.stringify(await manager.query(`EXPLAIN (FORMAT JSON) ${String(sql)}`, parameters as unknown[]))).toContain(
        'ix_device_search_texts_trgm',
      );
    }
    const capped = (await server.client().post(PATH, { body: { searchText: 'machine', pageSize: 5000 } })).as<DeviceSearchResponseDto>();
    expect(capped.items).toHaveLength(1000);
    expect(capped.totalItems).toBe(8000);
  });

  it('looks for a text in notes and values of fields by their indexes, and not at all for one that is too short for these', async () => {
    const counting = (searchText: string) =>
      findStatement(searchConditions(ANYWHERE, { ...EVERYTHING, searchText }).condition, searchOrder([]), { offset: 0, limit: 100 });
    const plan = await planWithout(['seqscan'], counting('lease'));
    for (const index of ['ix_device_search_texts_trgm', 'ix_device_notes_trgm', 'ix_device_field_values_trgm'])
      expect(plan).toContain(index);
    expect(counting('le').sql).not.toContain('device_notes');
  });

  it('looks for a text in notes only if the caller can read one that has it, and then reads many devices at once', async () => {
    const [large, other] = [await createTenant(server), await createTenant(server)];
    await server.dataSource.query(
      `INSERT INTO devices (id, tenant_id, name) SELECT gen_random_uuid(), $1, 'leased ' || n FROM generate_series(1, 8000) n`,
      [large.id],
    );
    const noted = await createDevice(server, { tenantId: large.id, name: 'noted' });
    const foreign = await createDevice(server, { tenantId: other.id });
    const note = (deviceId: string) =>
      server.dataSource.query(`INSERT INTO device_notes (device_id, note) VALUES ($1, 'Leased')`, [deviceId]);
    await note(foreign.id);
    await server.dataSource.query('VACUUM ANALYZE devices, device_search_texts, device_notes');
    const reader = await accountWith(server, large, [Permission.DeviceRead, at.tenant(large)]);
    const search = async (): Promise<readonly [number, readonly string[]]> => {
      const query = vi.spyOn(pg.Client.prototype, 'query');
      const { body } = await reader.post(PATH, { body: { searchText: 'leased', pageSize: 10 } });
      const calls: readonly (readonly unknown[])[] = query.mock.calls;
      const statements = calls.flatMap(([sql]) => (typeof sql === 'string' && sql.includes('search_text') ? [sql] : []));
      query.mockRestore();
      return [(body as DeviceSearchResponseDto).totalItems, statements];
    };

    const [found, [statement]] = await search();
    expect(found).toBe(8000);
    expect(statement).not.toContain('device_notes');

    await note(noted.id);
    const [foundWithNote, [statementWithNotes]] = await search();
    expect(foundWithNote).toBe(8001);
    expect(statementWithNotes).toContain('device_notes');
    const { condition } = searchConditions(ANYWHERE, { ...EVERYTHING, searchText: 'leased' });
    const plan = await planWithout([], findStatement(condition, searchOrder([]), { offset: 0, limit: 100 }));
    // PostgreSQL expects the many devices that it finds. When it expects few, it looks each of them up in the index.
    const [, expected] = /"Strategy":"Hashed"[^{}]*"Plan Rows":(\d+)/.exec(plan) ?? [];
    expect(Number(expected)).toBeGreaterThan(1_000);
  });

  it('lists devices that are online first by an index, and counts without a join that would keep PostgreSQL from using one', async () => {
    const { id } = await createTenant(server);
    const condition: SqlCondition = { sql: 'd.tenant_id = $1', parameters: [id] };
    const order = searchOrder([
      { propertyName: 'isOnline', descending: true, sortOrder: 0 },
      { propertyName: 'name', descending: false, sortOrder: 1 },
    ]);
    const stretch = { offset: 0, limit: 100 };
    expect(findStatement(condition, order, stretch).sql).not.toContain('JOIN');
    const plan = await planWithout(['seqscan', 'bitmapscan', 'sort'], walkStatement(condition, order, stretch));
    expect(plan).toContain('ix_devices_tenant_id_is_online_lower_name_created_at_id');
    expect(plan).not.toContain('"Node Type":"Sort"');
  });

  it('lists the devices of the only tenant that a server account reaches by the index of this tenant', async () => {
    const { id } = await createTenant(server);
    const rule = { permissionName: Permission.DeviceRead.name, effect: PermissionEffect.Allow, scopeKind: PermissionScopeKind.Tenant };
    const rules = new RuleSet([{ ...rule, assignmentId: '', scopeId: id, owningTenantId: id, throughGroupId: null }]);
    const scope = deviceScopeCondition(
      { type: 'ServerServiceAccount', accessMode: 'Restricted', id: newGuid(), name: 'Reader', credentialId: newGuid() },
      { owner: rules, token: null, maker: [] },
      Permission.DeviceRead,
      'd',
      1,
    );
    const order = searchOrder([{ propertyName: 'name', descending: false, sortOrder: 0 }]);
    const plan = await planWithout(['seqscan', 'bitmapscan', 'sort'], walkStatement(scope, order, { offset: 0, limit: 100 }));
    expect(plan).toContain('ix_devices_tenant_id_lower_name_created_at_id');
    expect(plan).not.toContain('"Node Type":"Sort"');
  });

  it('lists the devices of all tenants by an index, in the order of their names', async () => {
    const order = searchOrder([{ propertyName: 'name', descending: false, sortOrder: 0 }]);
    const plan = await planWithout(['seqscan', 'bitmapscan'], walkStatement(ANYWHERE, order, { offset: 0, limit: 100 }));
    expect(plan).toContain('ix_devices_lower_name_created_at_id');
    expect(plan).not.toContain('"Node Type":"Sort"');
  });

  it.each([
    { propertyName: 'name', operator: 'ends with', value: 'rd' },
    { propertyName: 'customerName', operator: 'contains', value: 'north' },
  ])('counts devices by $propertyName, and orders those of all tenants by their customers, without reading their rows', async (filter) => {
    const { id } = await createTenant(server);
    const insert = `INSERT INTO devices (id, tenant_id, name) SELECT gen_random_uuid(), $1, 'counted ' || n FROM generate_series(1, 3000) n`;
    await server.dataSource.query(insert, [id]);
    // An index alone answers for rows that a vacuum has found visible to all.
    await server.dataSource.query('VACUUM ANALYZE devices');
    const order = searchOrder([{ propertyName: 'customerName', descending: false, sortOrder: 0 }]);
    const stretch = { offset: 0, limit: 100 };
    const { condition } = searchConditions(ANYWHERE, { ...EVERYTHING, filterDefinitions: [filter] });
    const counting = findStatement(condition, order, stretch);
    for (const statement of [counting, walkStatement(ANYWHERE, order, stretch)]) {
      const plan = await planWithout(['seqscan', 'bitmapscan'], statement);
      expect(plan).toMatch(/"Node Type":"Index Only Scan"[^{}]*"Index Name":"ix_devices_tenant_id_is_online_is_tagged_id"/);
    }
  });

  it('gives the same pages whether or not there are too many matches to sort', async () => {
    const large = await createTenant(server);
    const nameOf = (n: number): string => `Unit ${String(n).padStart(5, '0')}`;
    await server.dataSource.query(
      `INSERT INTO devices (id, tenant_id, name, is_online)
       SELECT gen_random_uuid(), $1, 'Unit ' || lpad((n * 7 % 10001)::text, 5, '0'), n % 2 = 0 FROM generate_series(0, 10000) n`,
      [large.id],
    );
    const page = async (number: number, descending: boolean): Promise<DeviceSearchResponseDto> =>
      (
        await server.client().post(PATH, {
          body: { searchText: 'unit', sortDefinitions: [{ propertyName: 'name', descending }], page: number, pageSize: 100 },
        })
      ).as<DeviceSearchResponseDto>();
    for (const { change, total } of [
      { change: 'SELECT $1::uuid, $2::text', total: 10_001 },
      { change: 'DELETE FROM devices WHERE tenant_id = $1 AND name = $2', total: 10_000 },
    ]) {
      await server.dataSource.query(change, [large.id, nameOf(10_000)]);
      const names = Array.from({ length: total }, (_, n) => nameOf(n));
      for (const number of [0, 7, 99, 100, 101]) {
        const [up, down] = [await page(number, false), await page(number, true)];
        expect(up.items?.map(({ name }) => name)).toEqual(names.slice(number * 100, (number + 1) * 100));
        expect(down.items?.map(({ name }) => name)).toEqual(names.toReversed().slice(number * 100, (number + 1) * 100));
        expect([up.totalItems, down.totalItems]).toEqual([total, total]);
      }
    }
  });
});
