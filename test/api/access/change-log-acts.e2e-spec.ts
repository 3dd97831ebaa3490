import { beforeAll, describe, expect, it, vi } from 'vitest';

import { AuthorizationChangeLog } from '../../../src/access/authorization/change-log/change-log.entity.js';
import { Permission } from '../../../src/access/authorization/permissions/permission.js';
import type {
  ChangeLogActDto,
  ChangeLogActsResponseDto,
  ChangeLogEntriesResponseDto,
  ChangeLogSubjectsResponseDto,
} from '../../../src/access/change-logs/acts/act.dto.js';
import { newGuid } from '../../../src/platform/common/identifiers/guid.js';
import { BackgroundJobs } from '../../../src/system/background/background-jobs.js';
import type { Tenant } from '../../../src/tenants/tenants/tenant.entity.js';
import type { ApiAnswer, ApiCall, ApiClient } from '../../support/application/api-client.js';
import { callingUser, type CallingUser } from '../../support/callers/callers.js';
import { createCustomer, createDevice, createTenant, createUser } from '../../support/fixtures/factories.js';
import { testServer, testTenant } from '../../support/setup/test-server.js';

const PATH = '/account/change-log';
const server = testServer();

type Query = NonNullable<ApiCall['query']>;

const actionsOf = ({ entries }: ChangeLogActDto): string[] => entries.map(({ actionType }) => actionType);

/** Calls as an account that may read the log of the tenant, or as `client`. */
async function actsIn(
  tenant: Pick<Tenant, 'id'>,
  query: Query = {},
  client: ApiClient = server.client(),
): Promise<ChangeLogActsResponseDto> {
  return (await client.get(PATH, { query: { tenantId: tenant.id, ...query } })).as<ChangeLogActsResponseDto>();
}

async function succeed(call: Promise<ApiAnswer>): Promise<ApiAnswer> {
  const answer = await call;
  expect(answer.status, answer.text).toBeLessThan(300);
  return answer;
}

describe('the log of a tenant', () => {
  const tenant = testTenant(server);
  let anna: CallingUser;
  let ben: { readonly id: string; readonly userName: string };
  let groupId: string;

  beforeAll(async () => {
    anna = await callingUser(server, tenant, [
      Permission.TenantUserGroupsRead,
      Permission.TenantUserGroupsWrite,
      Permission.TenantUsersRead,
      Permission.TenantUsersDelete,
      Permission.TenantPermissionsRead,
      Permission.TenantPermissionsWrite,
      Permission.TenantAuthorizationLogsRead,
      Permission.UserGroupAssignUsers,
      Permission.DeviceRead,
    ]);
    ben = await createUser(server, { tenantId: tenant.id, userName: 'ben.miller@contoso.example' });
    const query = { tenantId: tenant.id };
    groupId = (await succeed(anna.client.post('/api/v1/user-groups', { query, body: { name: 'Field crew' } }))).as<{ id: string }>().id;
    await succeed(anna.client.post(`/api/v1/user-groups/${groupId}/members`, { query, body: { userIds: [ben.id] } }));
    await succeed(
      anna.client.post('/api/v1/permission-assignments', {
        query,
        body: {
          principalKind: 'User',
          principalId: ben.id,
          permissionName: 'device.read',
          effect: 'Allow',
          scopeKind: 'Tenant',
          scopeId: tenant.id,
        },
      }),
    );
    await succeed(anna.client.delete(`/api/v1/user-groups/${groupId}`, { query }));
    await succeed(anna.client.delete(`/api/v1/users/${ben.id}`, { query }));
  });

  it('shows what one transaction wrote as one act, the newest first', async () => {
    const { items, next } = await actsIn(tenant);
    expect(next).toBeNull();
    expect(items.map(actionsOf)).toEqual([
      ['permission-assignment-deleted', 'user-deleted'],
      ['user-group-deleted'],
      ['permission-assignment-created'],
      ['user-group-members-added'],
      ['user-group-created'],
    ]);
    expect(items[0].total).toBe(2);
    expect(items[0].requestId).toMatch(/^[0-9a-f]{32}$/);
  });

  it('names everything by the name that it had, also what is deleted', async () => {
    const { items } = await actsIn(tenant);
    const [given] = items[2].entries;
    expect(given.subjects).toEqual([
      { id: anna.user.id, kind: 'User', name: anna.user.userName, isActor: true, exists: true },
      expect.objectContaining({ id: given.targetId, kind: 'PermissionAssignment', name: null }),
      ...[
        { id: ben.id, kind: 'User', name: ben.userName, isActor: false, exists: false },
        { id: expect.any(String), kind: 'Permission', name: 'device.read', isActor: false, exists: false },
      ].sort(({ kind }) => (kind === given.subjects[2].kind ? -1 : 1)),
    ]);
    const named = items[3].entries[0].subjects.map(({ kind, name, exists }) => [kind, name, exists]);
    expect(named).toEqual(
      expect.arrayContaining([
        ['UserGroup', 'Field crew', false],
        ['User', ben.userName, false],
      ]),
    );
  });

  it.each<[string, () => Query, string[]]>([
    [
      'a person: what was done to them, and by them',
      () => ({ subjectId: ben.id }),
      ['permission-assignment-deleted,user-deleted', 'user-group-deleted', 'permission-assignment-created', 'user-group-members-added'],
    ],
    ['a deleted group', () => ({ subjectId: groupId }), ['user-group-deleted', 'user-group-members-added', 'user-group-created']],
    [
      'a part of an e-mail address, in any case',
      () => ({ search: 'MILLER@con', actions: 'user-group-members-added' }),
      ['user-group-members-added'],
    ],
    ['a part of a name', () => ({ search: 'eld cre' }), ['user-group-deleted', 'user-group-members-added', 'user-group-created']],
    ['a permission', () => ({ permission: 'device.read' }), ['permission-assignment-deleted', 'permission-assignment-created']],
    ['a part of a permission', () => ({ search: 'device.re' }), ['permission-assignment-deleted', 'permission-assignment-created']],
    ['an id', () => ({ search: groupId.toUpperCase(), actions: 'user-group-created' }), ['user-group-created']],
    ['an actor', () => ({ actorId: anna.user.id, subjectId: groupId, actions: 'user-group-created,user-created' }), ['user-group-created']],
    ['somebody who did nothing', () => ({ actorId: ben.id }), []],
    ['a name that nothing had', () => ({ search: 'nobody of this name' }), []],
    ['a wildcard', () => ({ search: '%' }), []],
  ])('finds %s', async (_what, query, found) => {
    const { items, isNarrowed } = await actsIn(tenant, query());
    expect(items.map((act) => actionsOf(act).join())).toEqual(found);
    expect(isNarrowed).toBe(false);
  });

  it('counts all entries of an act of which some match, and reads them one by one', async () => {
    const { items } = await actsIn(tenant, { permission: 'device.read', actions: 'permission-assignment-deleted' });
    expect([items[0].entries.length, items[0].total]).toEqual([1, 2]);
    const entries = async (query: Query) =>
      (
        await server.client().get(`${PATH}/entries`, { query: { tenantId: tenant.id, act: items[0].id, ...query } })
      ).as<ChangeLogEntriesResponseDto>();
    const first = await entries({ pageSize: 1 });
    const second = await entries({ pageSize: 1, after: first.next ?? '' });
    expect([...first.items, ...second.items].map(({ actionType }) => actionType)).toEqual([
      'user-deleted',
      'permission-assignment-deleted',
    ]);
    expect(second.next).toBeNull();
  });

  it('suggests names, also deleted ones', async () => {
    const { items } = (
      await anna.client.get(`${PATH}/subjects`, { query: { tenantId: tenant.id, search: 'field' } })
    ).as<ChangeLogSubjectsResponseDto>();
    expect(items).toEqual([{ id: groupId, kind: 'UserGroup', name: 'Field crew', login: null }]);
  });

  it('is not found through the log of another tenant or of the server', async () => {
    const other = await createTenant(server);
    for (const query of [{ subjectId: ben.id }, { search: 'field' }, { search: ben.id }, { actorId: anna.user.id }]) {
      expect([query, (await actsIn(other, query)).items]).toEqual([query, []]);
      const onServer = (await server.client().get(`${PATH}/server`, { query })).as<ChangeLogActsResponseDto>();
      expect([query, onServer.items]).toEqual([query, []]);
    }
    const { items } = (
      await server.client().get(`${PATH}/subjects`, { query: { tenantId: other.id, search: 'field' } })
    ).as<ChangeLogSubjectsResponseDto>();
    expect(items).toEqual([]);
    const [{ id: act }] = (await actsIn(tenant)).items;
    const foreign = await server.client().get(`${PATH}/entries`, { query: { tenantId: other.id, act } });
    expect(foreign.as<ChangeLogEntriesResponseDto>().items).toEqual([]);
  });
});

describe('what reaches beyond a tenant', () => {
  it('leaves users of other tenants unnamed', async () => {
    const [own, other] = [await createTenant(server), await createTenant(server)];
    const operator = await callingUser(server, own, [Permission.ServerTenantsWrite]);
    await succeed(operator.client.put(`/api/v1/tenants/${other.id}`, { body: { name: `Renamed ${newGuid()}` } }));
    const [{ entries }] = (await actsIn(other)).items;
    expect(entries[0].subjects[0]).toEqual({ id: operator.user.id, kind: 'User', name: null, isActor: true, exists: false });
  });

  it('names the accounts of the server in its own log', async () => {
    const name = `Billing ${newGuid()}`;
    await succeed(server.client().post('/api/v1/server-service-accounts', { body: { name, accessMode: 'Restricted' } }));
    const { items } = (await server.client().get(`${PATH}/server`, { query: { search: name } })).as<ChangeLogActsResponseDto>();
    expect(items.map(actionsOf)).toEqual([['service-account-created']]);
    expect(items[0].entries[0].subjects).toContainEqual(
      expect.objectContaining({ kind: 'ServiceAccount', name, exists: true, isActor: false }),
    );
  });
});

describe('entries about many things', () => {
  it('are found by each device, customer and reference', async () => {
    const tenant = await createTenant(server);
    const query = { tenantId: tenant.id };
    const [device, customer] = [await createDevice(server, { tenantId: tenant.id }), await createCustomer(server, { tenantId: tenant.id })];
    await succeed(server.client().post(`/api/v1/customers/${customer.id}/devices`, { query, body: { deviceIds: [device.id] } }));
    expect((await actsIn(tenant, { subjectId: device.id })).items.map(actionsOf)).toEqual([['customer-devices-assigned']]);
    await succeed(
      server.client().post('/api/v1/logon-tokens/external', {
        body: { tenantId: tenant.id, deviceId: device.id, userCorrelationId: 'crm|4711', sessionCorrelationId: 'ticket-20417' },
      }),
    );
    const [act] = (await actsIn(tenant, { reference: 'ticket-20417' })).items;
    expect(actionsOf(act)).toContain('logon-token-created');
    expect((await actsIn(tenant, { search: 'TICKET-204' })).items.map(({ id }) => id)).toEqual([act.id]);
    expect((await actsIn(tenant, { reference: 'ticket-2041' })).items).toEqual([]);
  });

  it('say so when more names match than are looked up', async () => {
    const tenant = await createTenant(server);
    await server.dataSource.query(
      `INSERT INTO authorization_change_logs (id, action_type, actor_principal_type, target_type, target_id, owning_tenant_id, after_json)
       SELECT gen_random_uuid(), 'tag-created', 'system', 'Tag', gen_random_uuid(), $1, '{"name":"rack ' || n || '"}' FROM generate_series(1, 101) n`,
      [tenant.id],
    );
    const { items, isNarrowed } = await actsIn(tenant, { search: 'rack' });
    expect([isNarrowed, items.length, items[0].total, items[0].entries.length]).toEqual([true, 1, 101, 30]);
  });

  it('are indexed with states that are no JSON objects', async () => {
    const tenant = await createTenant(server);
    const targetId = newGuid();
    const rows = ['', 'no JSON', '{"name":"\\u0000"}', '{"open":', '[1]'].map((afterJson) => ({
      id: newGuid(),
      actionType: 'tag-created',
      actorPrincipalType: 'system',
      targetType: 'Tag',
      targetId,
      owningTenantId: tenant.id,
      afterJson,
    }));
    await server.dataSource.manager.insert(AuthorizationChangeLog, rows);
    expect((await actsIn(tenant, { subjectId: targetId })).items[0].total).toBe(5);
  });
});

describe('pages', () => {
  it('follow each other without gaps, whatever is searched', async () => {
    const tenant = await createTenant(server);
    const [actor, target] = [newGuid(), newGuid()];
    await server.dataSource.query(
      `INSERT INTO authorization_change_logs
         (id, created_at, action_type, actor_principal_type, actor_principal_id, target_type, target_id, owning_tenant_id, correlation_id)
       SELECT gen_random_uuid(), '2026-01-01Z'::timestamptz + (n / 2) * interval '10 microseconds', 'tag-created', 'user', $2, 'Tag', $3, $1, (n / 2)::text
       FROM generate_series(0, 19) n`,
      [tenant.id, actor, target],
    );
    for (const query of [{}, { subjectId: target }, { actorId: actor }, { actions: 'tag-created,tag-deleted' }, { search: target }]) {
      const ids: string[] = [];
      let pages = 0;
      for (let after: string | null | undefined; after !== null; pages++) {
        const page = await actsIn(tenant, { ...query, pageSize: 4, ...(after === undefined ? {} : { after }) });
        expect(page.items.every(({ total, entries }) => total === 2 && entries.length === 2)).toBe(true);
        ids.push(...page.items.map(({ requestId }) => requestId ?? ''));
        after = page.next;
      }
      expect([query, pages, ids]).toEqual([query, 3, ['9', '8', '7', '6', '5', '4', '3', '2', '1', '0']]);
      const entries: string[] = [];
      for (let after: string | null | undefined; after !== null;) {
        const answer = await server.client().get(`${PATH}/entries`, {
          query: { tenantId: tenant.id, ...query, pageSize: 7, ...(after === undefined ? {} : { after }) },
        });
        const page = answer.as<ChangeLogEntriesResponseDto>();
        entries.push(...page.items.map(({ id }) => id));
        after = page.next;
      }
      expect([query, new Set(entries).size, entries.length]).toEqual([query, 20, 20]);
    }
  });

  it('are limited to a time span', async () => {
    const tenant = await createTenant(server);
    const target = newGuid();
    await server.dataSource.query(
      `INSERT INTO authorization_change_logs (id, created_at, action_type, actor_principal_type, target_type, target_id, owning_tenant_id)
       SELECT gen_random_uuid(), '2026-01-01Z'::timestamptz + n * interval '1 second', 'tag-created', 'system', 'Tag', $2, $1 FROM generate_series(0, 9) n`,
      [tenant.id, target],
    );
    const span = { from: '2026-01-01T00:00:02Z', to: '2026-01-01T00:00:04Z' };
    for (const query of [{}, { subjectId: target }, { actions: 'tag-created' }])
      expect((await actsIn(tenant, { ...query, ...span })).items.length).toBe(3);
  });
});

describe('entries from before the index', () => {
  it('are indexed by a background job, and searches say that they are incomplete until then', async () => {
    const tenant = await createTenant(server);
    const customer = await createCustomer(server, { tenantId: tenant.id, name: `Fabrikam ${newGuid()}` });
    const { manager } = server.dataSource;
    await manager.insert(AuthorizationChangeLog, {
      id: newGuid(),
      actionType: 'customer-updated',
      actorPrincipalType: 'system',
      targetType: 'Customer',
      targetId: customer.id,
      owningTenantId: tenant.id,
    });
    await manager.query('DELETE FROM change_log_subjects');
    await manager.query('DELETE FROM change_log_names');
    await manager.query(`INSERT INTO change_log_backfill (next_id) VALUES ('ffffffff-ffff-ffff-ffff-ffffffffffff')`);
    expect(await actsIn(tenant, { search: customer.name })).toMatchObject({ items: [], isIncomplete: true });
    const jobs = server.app.get(BackgroundJobs);
    await jobs.idle();
    const job = jobs.all.find(({ name }) => name === 'change log index');
    expect(await job?.run(server.dataSource, new AbortController().signal)).toBeGreaterThan(0);
    expect(await actsIn(tenant, { search: customer.name })).toMatchObject({ items: [{ total: 1 }], isIncomplete: false });
    expect(await job?.run(server.dataSource, new AbortController().signal)).toBe(0);
  });
});

describe('a log of sixty thousand entries', () => {
  interface Plan {
    readonly 'Node Type': string;
    readonly 'Relation Name'?: string;
    readonly 'Index Name'?: string;
    readonly 'Actual Rows': number;
    readonly 'Actual Loops': number;
    readonly Plans?: readonly Plan[];
  }
  const tenant = testTenant(server);
  const [actor, target] = [newGuid(), newGuid()];

  beforeAll(async () => {
    await server.dataSource.query(
      `INSERT INTO authorization_change_logs
         (id, created_at, action_type, actor_principal_type, actor_principal_id, target_type, target_id, owning_tenant_id, correlation_id)
       SELECT gen_random_uuid(), '2026-01-01Z'::timestamptz + n * interval '1 second', CASE n % 100 WHEN 0 THEN 'tag-deleted' ELSE 'tag-created' END, 'user',
              CASE n % 3 WHEN 0 THEN gen_random_uuid() ELSE $2::uuid END, 'Tag', CASE n % 1000 WHEN 0 THEN $3::uuid ELSE gen_random_uuid() END, $1, n::text
       FROM generate_series(1, 60000) n`,
      [tenant.id, actor, target],
    );
    await server.dataSource.query('ANALYZE authorization_change_logs, change_log_subjects');
  });

  it.each<[string, Query, number]>([
    ['everything', {}, 500],
    ['an actor of most entries', { actorId: actor }, 1_000],
    ['a thing that few entries name', { subjectId: target }, 1_000],
    ['a rare action', { actions: 'tag-deleted' }, 1_000],
  ])('is read only as far as a page of %s goes', async (_what, query, most) => {
    const { manager } = server.dataSource;
    const spied = vi.spyOn(manager, 'query');
    expect((await actsIn(tenant, query)).items.length).toBe(50);
    const statements = spied.mock.calls.filter(([sql]) => /authorization_change_logs|change_log_subjects/.test(sql));
    spied.mockRestore();
    expect(statements.length).toBeGreaterThan(0);
    for (const [sql, parameters] of statements) {
      const [row] = await manager.query<{ 'QUERY PLAN': { Plan: Plan }[] }[]>(`EXPLAIN (ANALYZE, FORMAT JSON) ${sql}`, parameters);
      const nodes = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodes)];
      const scans = nodes(row['QUERY PLAN'][0].Plan).filter((node) => node['Index Name'] !== undefined || node['Node Type'] === 'Seq Scan');
      for (const scan of scans)
        expect([scan['Index Name'], scan['Actual Rows'] * scan['Actual Loops'] <= most]).toEqual([scan['Index Name'], true]);
    }
  });
});
