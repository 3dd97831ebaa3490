import { beforeAll, describe, expect, it, vi } from 'vitest';

import { AuthorizationChangeLog } from '../../../src/access/authorization/change-log/change-log.entity.js';
import { Permission } from '../../../src/access/authorization/permissions/permission.js';
import type { AuthorizationChangeLogsResponseDto } from '../../../src/access/change-logs/change-log.dto.js';
import type { ServerServiceAccountDto } from '../../../src/people/service-accounts/service-account.dto.js';
import { newGuid } from '../../../src/platform/common/identifiers/guid.js';
import type { ProblemDetails } from '../../../src/platform/http/problems/problem-details.js';
import type { GetTenantResponseDto } from '../../../src/tenants/tenants/tenant.dto.js';
import type { Tenant } from '../../../src/tenants/tenants/tenant.entity.js';
import type { ApiAnswer, ApiCall } from '../../support/application/api-client.js';
import { ROOT_KEY } from '../../support/application/app.js';
import { detailOf } from '../../support/callers/callers.js';
import { at, createServiceAccountWithKey, createTenant, grant, holder } from '../../support/fixtures/factories.js';
import { testServer } from '../../support/setup/test-server.js';

const PATH = '/api/v1/authorization-change-logs';
const START = Date.UTC(2026, 0, 1);
const SECOND_MS = 1000;
const LIST_INDEX = 'ix_authorization_change_logs_owning_tenant_id_created_at_id';

const server = testServer();

type Query = NonNullable<ApiCall['query']>;

const ofTenant = (tenantId: string, query: Query = {}, key = ROOT_KEY): Promise<ApiAnswer> =>
  server.client({ 'x-api-key': key }).get(PATH, { query: { tenantId, ...query } });
const ofServer = (query: Query = {}, key = ROOT_KEY): Promise<ApiAnswer> =>
  server.client({ 'x-api-key': key }).get(`${PATH}/server`, { query });

async function search(tenantId: string, query: Query = {}): Promise<AuthorizationChangeLogsResponseDto> {
  return (await ofTenant(tenantId, query)).as<AuthorizationChangeLogsResponseDto>();
}

const idsOf = ({ items }: AuthorizationChangeLogsResponseDto): string[] => items.map(({ id }) => id);

/** Writes entries one second apart, the oldest first. */
async function writeEntries(
  tenantId: string | null,
  entries: readonly Partial<AuthorizationChangeLog>[],
): Promise<AuthorizationChangeLog[]> {
  const { manager } = server.dataSource;
  const rows = entries.map((entry, index) =>
    manager.create(AuthorizationChangeLog, {
      id: newGuid(),
      createdAt: new Date(START + index * SECOND_MS),
      actionType: 'tag-created',
      actorPrincipalType: 'user',
      actorPrincipalId: newGuid(),
      targetType: 'Tag',
      targetId: newGuid(),
      owningTenantId: tenantId,
      ipAddress: '192.0.2.1',
      correlationId: 'hidden',
      beforeJson: null,
      afterJson: '{"name":"x"}',
      ...entry,
    }),
  );
  await manager.insert(AuthorizationChangeLog, rows);
  return rows;
}

describe('the log of a tenant', () => {
  it('shows each action with its actor, address, and the state before and after', async () => {
    const root = server.client();
    const { tenantId } = (await root.post('/api/v1/tenants', { body: { name: 'Logged' } })).as<GetTenantResponseDto>();
    await root.put(`/api/v1/tenants/${tenantId}`, { body: { name: 'Renamed' } });
    const { items, totalItems } = await search(tenantId);
    expect(totalItems).toBe(2);
    const common = { actorPrincipalType: 'service-account', targetType: 'Tenant', targetId: tenantId, owningTenantId: tenantId };
    expect(items).toEqual([
      {
        ...common,
        id: expect.any(String),
        actionType: 'tenant-updated',
        actorPrincipalId: expect.any(String),
        ipAddress: '127.0.0.1',
        userCorrelationId: null,
        sessionCorrelationId: null,
        createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
        beforeJson: '{"name":"Logged"}',
        afterJson: '{"name":"Renamed"}',
      },
      expect.objectContaining({ ...common, actionType: 'tenant-created', beforeJson: null, afterJson: '{"name":"Logged"}' }),
    ]);
  });

  it('is empty for a tenant without entries, and 404 for one that never existed', async () => {
    const { id } = await createTenant(server);
    expect((await ofTenant(id)).body).toEqual({ items: [], totalItems: 0 });
    const unknown = await ofTenant(newGuid());
    expect([unknown.status, detailOf(unknown)]).toEqual([404, 'The tenant was not found.']);
  });

  it('stays readable for readers of the server after the tenant was deleted', async () => {
    const root = server.client();
    const { tenantId } = (await root.post('/api/v1/tenants', { body: { name: 'Short' } })).as<GetTenantResponseDto>();
    const { account, key } = await createServiceAccountWithKey(server);
    await grant(server, {
      principal: holder.serviceAccount(account),
      permission: Permission.ServerAuthorizationLogsRead,
      scope: at.server,
    });
    await root.delete(`/api/v1/tenants/${tenantId}`);
    const { items } = (await ofTenant(tenantId, {}, key)).as<AuthorizationChangeLogsResponseDto>();
    expect(items.map(({ actionType }) => actionType)).toEqual(['tenant-deleted', 'tenant-created']);
    // A filter without matches must not make the log look unknown.
    expect((await ofTenant(tenantId, { actionType: 'none' }, key)).body).toEqual({ items: [], totalItems: 0 });
  });
});

describe('the log of the server', () => {
  it('shows only entries that belong to no tenant', async () => {
    const { id } = (
      await server.client().post('/api/v1/server-service-accounts', { body: { name: newGuid(), accessMode: 'Restricted' } })
    ).as<ServerServiceAccountDto>();
    await writeEntries(newGuid(), [{ targetId: id }]);
    const { items, totalItems } = (await ofServer({ searchText: id })).as<AuthorizationChangeLogsResponseDto>();
    expect(totalItems).toBe(1);
    expect(items).toEqual([expect.objectContaining({ actionType: 'service-account-created', targetId: id, owningTenantId: null })]);
  });

  it('accepts the same filters and pages', async () => {
    const action = `made-up-${newGuid()}`;
    const rows = await writeEntries(null, [{ actionType: action }, { actionType: action }, { actionType: action }]);
    const page = (await ofServer({ actionType: action, page: 1, pageSize: 2 })).as<AuthorizationChangeLogsResponseDto>();
    expect([idsOf(page), page.totalItems]).toEqual([[rows[0].id], 3]);
  });
});

describe('a search', () => {
  let tenant: Tenant;
  let rows: AuthorizationChangeLog[];

  beforeAll(async () => {
    tenant = await createTenant(server);
    rows = await writeEntries(tenant.id, [
      { actionType: 'tag-created' },
      { actionType: 'tag-deleted', actorPrincipalType: 'system', actorPrincipalId: null },
      { actionType: 'user-created', targetType: 'User', actorPrincipalType: 'service-account' },
      { actionType: 'user-deleted', targetType: 'User', targetId: null },
    ]);
    // Another tenant with the same ids, whose entries must not be found.
    const other = await createTenant(server);
    await writeEntries(
      other.id,
      rows.map(({ actionType, targetType, targetId, actorPrincipalId, actorPrincipalType }) => ({
        actionType,
        targetType,
        targetId,
        actorPrincipalId,
        actorPrincipalType,
      })),
    );
  });

  /** The positions of the found entries; 0 is the oldest. */
  async function found(query: Query): Promise<number[]> {
    const answer = await search(tenant.id, query);
    expect(answer.totalItems).toBe(answer.items.length);
    return idsOf(answer).map((id) => rows.findIndex((row) => row.id === id));
  }

  it('lists the newest entries first', async () => {
    expect(await found({})).toEqual([3, 2, 1, 0]);
  });

  it.each<[Query, number[]]>([
    [{ actionType: 'tag-created' }, [0]],
    [{ actionType: 'tag' }, []],
    [{ ACTIONTYPE: 'tag-deleted' }, [1]],
    [{ targetType: 'User' }, [3, 2]],
    [{ targetType: 'user' }, []],
    [{ actorType: 'system' }, [1]],
    [{ actorType: 'user', targetType: 'User' }, [3]],
    [{ actionType: '' }, [3, 2, 1, 0]],
    [{ searchText: '' }, [3, 2, 1, 0]],
    [{ from: '', to: '', targetType: 'User' }, [3, 2]],
    [{ searchText: '%' }, []],
    [{ searchText: '_' }, []],
    [{ searchText: '\\' }, []],
    [{ searchText: "' OR 1=1 --" }, []],
    [{ searchText: '-' }, [3, 2, 1, 0]],
  ])('with %j finds %j', async (query, places) => {
    expect(await found(query)).toEqual(places);
  });

  it('finds a whole id as an actor or a target, in any case', async () => {
    expect(await found({ searchText: rows[2].targetId ?? '' })).toEqual([2]);
    expect(await found({ searchText: rows[2].actorPrincipalId?.toUpperCase() })).toEqual([2]);
    expect(await found({ searchText: newGuid() })).toEqual([]);
  });

  it('finds part of an id, in any case', async () => {
    expect(await found({ searchText: rows[0].targetId?.slice(20).toUpperCase() })).toEqual([0]);
    expect(await found({ searchText: rows[3].actorPrincipalId?.slice(19, 36) })).toEqual([3]);
  });

  it('includes both ends of a time span, with the precision of the shown times', async () => {
    const at1 = new Date(START + SECOND_MS).toISOString();
    const at2 = new Date(START + 2 * SECOND_MS).toISOString();
    expect(await found({ from: at1, to: at2 })).toEqual([2, 1]);
    expect(await found({ from: at2 })).toEqual([3, 2]);
    expect(await found({ to: at1 })).toEqual([1, 0]);
    expect(await found({ from: new Date(START + 1).toISOString(), to: new Date(START + SECOND_MS - 1).toISOString() })).toEqual([]);
    // The database stores microseconds, which answers do not show.
    await server.dataSource.query(
      `UPDATE authorization_change_logs SET created_at = created_at + interval '700 microseconds' WHERE id = $1`,
      [rows[3].id],
    );
    const [{ createdAt }] = (await search(tenant.id)).items;
    expect(await found({ from: String(createdAt), to: String(createdAt) })).toEqual([3]);
  });

  it('returns pages, and limits their size', async () => {
    const page = async (query: Query) => {
      const answer = await search(tenant.id, query);
      expect(answer.totalItems).toBe(4);
      return idsOf(answer).map((id) => rows.findIndex((row) => row.id === id));
    };
    expect(await page({ pageSize: 3 })).toEqual([3, 2, 1]);
    expect(await page({ pageSize: 3, page: 1 })).toEqual([0]);
    expect(await page({ pageSize: 3, page: 2 })).toEqual([]);
    expect(await page({ pageSize: 0 })).toEqual([3]);
    expect(await page({ pageSize: -7, page: 1 })).toEqual([2]);
    expect(await page({ pageSize: 2_147_483_647, page: 2_147_483_647 })).toEqual([]);
  });

  it('refuses a day that does not exist, with a time but no offset', async () => {
    const to = '2026-02-31T00:00';
    for (const answer of [await ofTenant(tenant.id, { to }), await ofServer({ to })]) {
      expect([answer.status, Object.keys((answer.body as ProblemDetails).errors ?? {})]).toEqual([400, ['to']]);
    }
  });
});

describe('a log of forty thousand entries', () => {
  const TENANTS = 49;
  let tenants: string[];

  beforeAll(async () => {
    tenants = Array.from({ length: TENANTS }, newGuid);
    await server.dataSource.query(
      `INSERT INTO authorization_change_logs (id, created_at, action_type, actor_principal_type, actor_principal_id, target_type, target_id, owning_tenant_id)
       SELECT gen_random_uuid(), $2::timestamptz + n * interval '1 second', 'tag-created', 'user', gen_random_uuid(), 'Tag', gen_random_uuid(),
              ($1::uuid[] || NULL::uuid)[n % ($3::integer + 1) + 1]
       FROM generate_series(1, 40000) n`,
      [tenants, new Date(START), TENANTS],
    );
    await server.dataSource.query('ANALYZE authorization_change_logs');
  });

  interface Plan {
    readonly 'Node Type': string;
    readonly 'Index Name'?: string;
    readonly Plans?: readonly Plan[];
  }

  /** The indexes that the statements of a call use, and how they use them. */
  async function plansOf(
    call: () => Promise<ApiAnswer>,
  ): Promise<{ readonly answer: AuthorizationChangeLogsResponseDto; readonly plans: string[][] }> {
    const { manager } = server.dataSource;
    const query = vi.spyOn(manager, 'query');
    const answer = (await call()).as<AuthorizationChangeLogsResponseDto>();
    const statements = query.mock.calls.filter(([sql]) => sql.includes('authorization_change_logs'));
    query.mockRestore();
    expect(statements).toHaveLength(2);
    const plans: string[][] = [];
    for (const [sql, parameters] of statements) {
      const [row] = await manager.query<{ 'QUERY PLAN': { Plan: Plan }[] }[]>(`EXPLAIN (FORMAT JSON) ${sql}`, parameters);
      const nodes = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodes)];
      plans.push(nodes(row['QUERY PLAN'][0].Plan).map((node) => node['Index Name'] ?? node['Node Type']));
    }
    return { answer, plans };
  }

  it.each([
    ['a tenant', () => ofTenant(tenants[1])],
    ['the server', () => ofServer()],
  ])('finds a page of %s in the order of an index, without sorting', async (_whose, call) => {
    const { plans } = await plansOf(call);
    for (const plan of plans) {
      expect(plan).toContain(LIST_INDEX);
      expect(plan).not.toContain('Seq Scan');
      expect(plan.filter((node) => node.includes('Sort'))).toEqual([]);
    }
  });

  it('finds a time span with the same index', async () => {
    const from = new Date(START + 1_000_000).toISOString();
    const to = new Date(START + 1_100_000).toISOString();
    const { plans } = await plansOf(() => ofTenant(tenants[1], { from, to }));
    for (const plan of plans) {
      expect(plan).toContain(LIST_INDEX);
      expect(plan).not.toContain('Seq Scan');
    }
  });

  it('finds an id with the indexes of actors and targets', async () => {
    const [{ actor_principal_id: actorId }] = await server.dataSource.query<{ actor_principal_id: string }[]>(
      'SELECT actor_principal_id FROM authorization_change_logs WHERE owning_tenant_id = $1 LIMIT 1',
      [tenants[0]],
    );
    const { answer, plans } = await plansOf(() => ofTenant(tenants[0], { searchText: actorId }));
    expect(answer.items.map(({ actorPrincipalId }) => actorPrincipalId)).toEqual([actorId]);
    for (const plan of plans) {
      expect(plan).toEqual(
        expect.arrayContaining(['ix_authorization_change_logs_actor_principal_id', 'ix_authorization_change_logs_target_id']),
      );
      expect(plan).not.toContain('Seq Scan');
    }
  });

  it('answers at most 200 entries and the total number', async () => {
    const answer = await search(tenants[2], { pageSize: 5000 });
    expect([answer.items.length, answer.totalItems]).toEqual([200, 800]);
    const last = await search(tenants[2], { pageSize: 200, page: 3 });
    expect(last.items.length).toBe(200);
  });
});
