import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';

import { AuthorizationChangeLog } from '../../../src/access/authorization/change-log/change-log.entity.js';
import { Permission } from '../../../src/access/authorization/permissions/permission.js';
import { verifyChains } from '../../../src/access/change-logs/chain/verify-chains.js';
import { headsIn } from '../../../src/access/change-logs/chain/chain-head.js';
import { poolOf } from '../../../src/platform/database/queries/read-rows.js';
import { BackgroundJobs } from '../../../src/system/background/background-jobs.js';
import { eventIdOf } from '../../../src/system/events/event-id.js';
import type { LogRetentionDto } from '../../../src/tenants/log-retention/log-retention.dto.js';
import type { Tenant } from '../../../src/tenants/tenants/tenant.entity.js';
import type { ApiClient } from '../../support/application/api-client.js';
import type { TestApp } from '../../support/application/app.js';
import { accountWith, changesOf, statusesOf, wrongFieldsOf } from '../../support/callers/callers.js';
import { eventually } from '../../support/eventually.js';
import { at, createTenant } from '../../support/fixtures/factories.js';
import { testServer } from '../../support/setup/test-server.js';

const PATH = '/account/log-retention';
const DAY_MS = 24 * 60 * 60 * 1000;
const MINUTE_MS = 60_000;
const UNSET = { changeLogDays: null, securityLogDays: null, deviceActivityDays: null, eventDays: null };
const FEWEST = { changeLogDays: 90, securityLogDays: 30, deviceActivityDays: 30, eventDays: 1 };
const SERVER_LOG = '00000000-0000-0000-0000-000000000000';

type Log = keyof typeof UNSET;

/** Each log: its job, and the insertion of `$3` rows of a tenant `$1` at a time `$2`. */
const LOGS: Readonly<Record<Log, { readonly job: string; readonly table: string; readonly tenant: string; readonly insert: string }>> = {
  changeLogDays: {
    job: 'change log',
    table: 'authorization_change_logs',
    tenant: 'owning_tenant_id',
    insert: `INSERT INTO authorization_change_logs (id, created_at, action_type, actor_principal_type, target_type, owning_tenant_id)
             SELECT gen_random_uuid(), $2, 'made-up', 'system', 'Tag', $1 FROM generate_series(1, $3::integer)`,
  },
  securityLogDays: {
    job: 'security log',
    table: 'security_events',
    tenant: 'tenant_id',
    insert: `INSERT INTO security_events (id, created_at, tenant_id, user_id, user_name, kind)
             SELECT gen_random_uuid(), $2, $1, gen_random_uuid(), 'Anna', 'SignedIn' FROM generate_series(1, $3::integer)`,
  },
  deviceActivityDays: {
    job: 'device activities',
    table: 'device_activities',
    tenant: 'tenant_id',
    insert: `INSERT INTO device_activities (id, tenant_id, device_id, kind, principal_kind, principal_name, correlation_id, node_id, started_at, ended_at)
             SELECT gen_random_uuid(), $1, CASE WHEN n % 7 > 0 THEN md5((n % 3000)::text)::uuid END, 'FileDownload', 'User', 'Anna', 'none', 'none', $2, $2
             FROM generate_series(1, $3::integer) n`,
  },
  eventDays: {
    job: 'events',
    table: 'events',
    tenant: 'tenant_id',
    insert: `INSERT INTO events (id, occurred_at, tenant_id, kind, data, number)
             SELECT gen_random_uuid(), $2, $1, 'installer-key.used', '{}',
                    n + coalesce((SELECT max(number) FROM events WHERE tenant_id = $1), 0) FROM generate_series(1, $3::integer) n`,
  },
};
const ALL = Object.keys(LOGS) as readonly Log[];

function run(server: TestApp, log: Log, signal = new AbortController().signal): Promise<number | null> {
  const job = server.app.get(BackgroundJobs).all.find(({ name }) => name === LOGS[log].job);
  if (job === undefined) throw new Error(`There is no job ${LOGS[log].job}.`);
  return job.run(server.dataSource, signal);
}

async function insert(server: TestApp, log: Log, { id }: Pick<Tenant, 'id'>, age: number, count = 1): Promise<void> {
  await server.dataSource.query(LOGS[log].insert, [id, new Date(server.clock.milliseconds() - age), count]);
}

/** The number of rows of a tenant that a test made. */
async function left(server: TestApp, log: Log, { id }: Pick<Tenant, 'id'>): Promise<number> {
  const { table, tenant } = LOGS[log];
  const isMadeUp = log === 'changeLogDays' ? `action_type = 'made-up'` : 'true';
  const [{ count }] = await server.dataSource.query<{ count: number }[]>(
    `SELECT count(*)::integer AS count FROM ${table} WHERE ${tenant} = $1 AND ${isMadeUp}`,
    [id],
  );
  return count;
}

/** Chains all entries of a tenant again. */
async function chain(server: TestApp, tenantId: string): Promise<void> {
  await server.dataSource.query('DELETE FROM change_log_links WHERE log_id = $1', [tenantId]);
  await server.dataSource.query('DELETE FROM change_log_chains WHERE log_id = $1', [tenantId]);
  await server.dataSource.query(
    `SELECT chain_change_log($1, array_agg(e ORDER BY e.created_at, e.id)) FROM authorization_change_logs e WHERE owning_tenant_id = $1`,
    [tenantId],
  );
}

const put = (client: ApiClient, { id }: Pick<Tenant, 'id'>, body: object, headers: Record<string, string> = {}) =>
  client.put(PATH, { query: { tenantId: id }, body, headers });
const get = async (client: ApiClient, { id }: Pick<Tenant, 'id'>): Promise<LogRetentionDto> =>
  (await client.get(PATH, { query: { tenantId: id } })).as<LogRetentionDto>();

describe('the retention of a tenant', () => {
  const server = testServer({
    Service_AppOptions__AuthorizationChangeLogRetentionDays: '365',
    Service_AppOptions__SecurityLogRetentionDays: '20',
    Service_AppOptions__DeviceActivityRetentionDays: '0',
  });
  const SERVER = { changeLogDays: 365, securityLogDays: 20, deviceActivityDays: null, eventDays: 7 };
  let tenant: Tenant;

  // Rows that a job must keep are only a minute short of its limit, so the clock must not run.
  beforeAll(() => server.clock.stop());
  beforeEach(async () => {
    tenant = await createTenant(server);
  });

  it('is that of the server until the tenant chooses, with the limits of both', async () => {
    const client = await accountWith(server, tenant, [Permission.TenantSettingsRead, at.tenant(tenant)]);
    expect((await client.get(PATH)).as()).toEqual({ ...UNSET, server: SERVER, fewest: FEWEST });
    expect((await put(client, tenant, UNSET)).status).toBe(403);
  });

  it('is changed by those who may write the settings, and stands in the logs of tenant and server with what it was', async () => {
    const client = await accountWith(
      server,
      tenant,
      [Permission.TenantSettingsRead, at.tenant(tenant)],
      [Permission.TenantSettingsWrite, at.tenant(tenant)],
    );
    const first = { changeLogDays: 365, securityLogDays: null, deviceActivityDays: 30, eventDays: 7 };
    expect((await client.put(PATH, { body: first })).as()).toEqual({ ...first, server: SERVER, fewest: FEWEST });
    expect(await get(client, tenant)).toMatchObject(first);
    const [, head] = await server.dataSource
      .query<{ position: number; hash: string }[]>(
        `SELECT position::integer, encode(hash, 'hex') AS hash FROM change_log_links WHERE log_id = $1 ORDER BY position`,
        [tenant.id],
      )
      .then((rows) => [rows[0], rows.at(-1)]);
    // What is left out is kept for as long as the server does.
    expect((await client.put(PATH, { body: { changeLogDays: 90 } })).as()).toMatchObject({ ...UNSET, changeLogDays: 90 });
    // The same again is no change.
    expect((await client.put(PATH, { body: { changeLogDays: 90 } })).status).toBe(200);
    const action = 'log-retention-updated';
    const { name } = tenant;
    const entries = await server.dataSource.manager.find(AuthorizationChangeLog, {
      where: { targetId: tenant.id, actionType: action },
      order: { id: 'ASC' },
    });
    const of = (tenantId: string | null) =>
      entries
        .filter(({ owningTenantId }) => owningTenantId === tenantId)
        .map(({ beforeJson, afterJson }) => [JSON.parse(beforeJson ?? ''), JSON.parse(afterJson ?? '')] as unknown[]);
    const days = { changeLogDays: 365, deviceActivityDays: 30, eventDays: 7 };
    expect(of(tenant.id)).toEqual([
      [{}, days],
      [days, { changeLogDays: 90 }],
    ]);
    expect(of(null)).toEqual([
      [{ name }, { name, ...days }],
      [
        { name, ...days },
        { name, changeLogDays: 90, ...head },
      ],
    ]);
    expect((await changesOf(server, tenant.id)).filter((change) => change.action === action)).toHaveLength(4);
  });

  it('is refused over that of the server and under the fewest days, with the limit, and nothing changes', async () => {
    await put(server.client(), tenant, { changeLogDays: 100 });
    const over = await put(server.client(), tenant, { changeLogDays: 366, securityLogDays: 30, deviceActivityDays: 3_000, eventDays: 8 });
    expect([over.status, over.body]).toEqual([
      400,
      expect.objectContaining({
        errors: {
          changeLogDays: ['changeLogDays must be at most 365: the server keeps this log for 365 days.'],
          securityLogDays: [
            'securityLogDays must be null: the server keeps this log for 20 days, fewer than the 30 that a tenant can choose.',
          ],
          eventDays: ['eventDays must be at most 7: the server keeps this log for 7 days.'],
        },
      }),
    ]);
    const under = await put(server.client(), tenant, { changeLogDays: 89, securityLogDays: 29, deviceActivityDays: 29, eventDays: 0 });
    expect([under.status, wrongFieldsOf(under)]).toEqual([400, [...ALL]]);
    expect(await get(server.client(), tenant)).toMatchObject({ ...UNSET, changeLogDays: 100 });
  });

  it('is changed by one of two who saw the same, and the other is told', async () => {
    const seen = await server.client().get(PATH, { query: { tenantId: tenant.id } });
    const headers = { 'if-match': seen.headers.get('etag') ?? '' };
    const answers = await Promise.all([200, 300].map((changeLogDays) => put(server.client(), tenant, { changeLogDays }, headers)));
    expect(statusesOf(answers)).toEqual([200, 412]);
    const { changeLogDays } = answers.find(({ status }) => status === 200)?.as<LogRetentionDto>() ?? {};
    expect(await get(server.client(), tenant)).toMatchObject({ changeLogDays });
  });

  it.each(ALL)('removes its own old entries and nobody else’s, however many there are: %s', async (log) => {
    const other = await createTenant(server);
    const days = { changeLogDays: 90, securityLogDays: 10, deviceActivityDays: 30, eventDays: 1 }[log];
    // Written as if the server had kept more when it was chosen, where it now keeps fewer than a tenant can choose.
    await server.dataSource.query(`INSERT INTO log_retentions (tenant_id, ${COLUMNS[log]}) VALUES ($1, $2)`, [tenant.id, days]);
    await run(server, log);
    await insert(server, log, tenant, days * DAY_MS + MINUTE_MS, 5_003);
    await insert(server, log, tenant, days * DAY_MS - MINUTE_MS, 2);
    await insert(server, log, other, days * DAY_MS + MINUTE_MS, 3);
    expect(await run(server, log)).toBe(5_003);
    expect([await left(server, log, tenant), await left(server, log, other)]).toEqual([2, 3]);
    expect(await run(server, log)).toBe(0);
  });

  it.each(['changeLogDays', 'securityLogDays', 'eventDays'] as const)('is never longer than that of the server: %s', async (log) => {
    const most = SERVER[log];
    await server.dataSource.query(`INSERT INTO log_retentions (tenant_id, ${COLUMNS[log]}) VALUES ($1, $2)`, [tenant.id, most + 400]);
    await run(server, log);
    await insert(server, log, tenant, most * DAY_MS + MINUTE_MS, 2);
    await insert(server, log, tenant, most * DAY_MS - MINUTE_MS, 1);
    expect(await run(server, log)).toBe(2);
    expect(await left(server, log, tenant)).toBe(1);
  });

  it('answers readers of events that are behind with 410 and the oldest that is left', async () => {
    await put(server.client(), tenant, { eventDays: 1 });
    await insert(server, 'eventDays', tenant, 2 * DAY_MS, 3);
    await insert(server, 'eventDays', tenant, 0, 2);
    await server.dataSource.query('INSERT INTO event_heads (tenant_id, last_number) VALUES ($1, 5)', [tenant.id]);
    const after = (number: bigint) =>
      server.client().get('/api/events', { query: { tenantId: tenant.id, after: eventIdOf(number, tenant.id) } });
    expect((await after(1n)).as<{ items: readonly object[] }>().items).toHaveLength(4);
    expect(await run(server, 'eventDays')).toBe(3);
    const refused = await after(1n);
    expect([refused.status, (refused.body as { oldestId: string }).oldestId]).toEqual([410, eventIdOf(4n, tenant.id)]);
    expect((await after(3n)).as<{ items: readonly object[] }>().items).toHaveLength(2);
  });

  it('outlives the tenant, as its logs do', async () => {
    await put(server.client(), tenant, { changeLogDays: 90, deviceActivityDays: 30 });
    for (const log of ['changeLogDays', 'deviceActivityDays'] as const) await insert(server, log, tenant, 100 * DAY_MS, 4);
    expect((await server.client().delete(`/api/v1/tenants/${tenant.id}`)).status).toBe(204);
    await eventually(
      'the tenant is gone',
      async () => (await server.client().get(PATH, { query: { tenantId: tenant.id } })).status === 404,
    );
    expect([await run(server, 'changeLogDays'), await run(server, 'deviceActivityDays')]).toEqual([4, 4]);
    expect([await left(server, 'changeLogDays', tenant), await left(server, 'deviceActivityDays', tenant)]).toEqual([0, 0]);
  });

  describe('of the change log', () => {
    const signal = new AbortController().signal;
    const verify = (head: string | null = null) =>
      verifyChains({
        database: server.database.connection,
        logId: null,
        heads: head === null ? [] : (headsIn(head) ?? []),
        signal,
      });

    /** Makes entries of the tenant look as if they had been written long ago, with their chain. */
    async function age(positions: number, days: number): Promise<void> {
      await server.dataSource.query(
        `UPDATE authorization_change_logs e SET created_at = e.created_at - $3 * interval '1 day' FROM change_log_links l
         WHERE l.entry_id = e.id AND l.log_id = $1 AND l.position <= $2`,
        [tenant.id, positions, days],
      );
      await chain(server, tenant.id);
    }
    const rename = async (name: string) => (await server.client().put(`/api/v1/tenants/${tenant.id}`, { body: { name } })).as<unknown>();
    const headNow = async () => (await server.client().get('/account/change-log/head', { query: { tenantId: tenant.id } })).text;

    it('leaves a chain that is whole, against heads that were kept before and after', async () => {
      for (const name of ['One', 'Two', 'Three', 'Four']) await rename(name);
      await age(3, 100);
      const [before] = await server.dataSource.query<{ head: string }[]>(
        `SELECT json_build_object('tenantId', log_id, 'position', position, 'hash', encode(hash, 'hex'))::text AS head
         FROM change_log_links WHERE log_id = $1 AND position = 3`,
        [tenant.id],
      );
      const kept = await headNow();
      await put(server.client(), tenant, { changeLogDays: 90 });
      expect(await run(server, 'changeLogDays')).toBe(3);
      const [end] = await server.dataSource.query<{ removed: number }[]>(
        'SELECT removed_position::integer AS removed FROM change_log_chains WHERE log_id = $1',
        [tenant.id],
      );
      expect(end.removed).toBe(3);
      for (const head of [null, before.head, kept, await headNow()]) {
        const { findings, unchecked } = await verify(head);
        expect([findings.filter(({ tenantId }) => tenantId === tenant.id || tenantId === null), unchecked]).toEqual([[], []]);
      }
    });

    it('is found by the log of the server if what followed was written again', async () => {
      await rename('One');
      await put(server.client(), tenant, { changeLogDays: 200 });
      await server.dataSource.query(
        `UPDATE authorization_change_logs SET after_json = '{"name":"Another"}' WHERE owning_tenant_id = $1 AND action_type = 'tenant-updated'`,
        [tenant.id],
      );
      await age(0, 0);
      const { findings } = await verify();
      expect(findings.filter(({ tenantId }) => tenantId === tenant.id)).toMatchObject([{ kind: 'rewritten' }]);
      await server.dataSource.query('DELETE FROM authorization_change_logs WHERE owning_tenant_id = $1', [tenant.id]);
      await server.dataSource.query('DELETE FROM change_log_links WHERE log_id = $1', [tenant.id]);
      await server.dataSource.query('DELETE FROM change_log_chains WHERE log_id = $1', [tenant.id]);
    });

    it('leaves its own change in the log of the server when the tenant’s entry has expired', async () => {
      await put(server.client(), tenant, { changeLogDays: 90 });
      await age(1, 100);
      await run(server, 'changeLogDays');
      const entries = await server.dataSource.manager.findBy(AuthorizationChangeLog, {
        targetId: tenant.id,
        actionType: 'log-retention-updated',
      });
      expect(entries.map(({ owningTenantId }) => owningTenantId)).toEqual([null]);
      const { findings } = await verify();
      expect(findings.filter(({ tenantId }) => tenantId === tenant.id || tenantId === SERVER_LOG)).toEqual([]);
    });
  });
});

const COLUMNS: Readonly<Record<Log, string>> = {
  changeLogDays: 'change_log_days',
  securityLogDays: 'security_log_days',
  deviceActivityDays: 'device_activity_days',
  eventDays: 'event_days',
};

describe('the removal of what tenants no longer keep', () => {
  const server = testServer();
  const DAYS = { changeLogDays: 90, securityLogDays: 30, deviceActivityDays: 30, eventDays: 1 };
  const INDEXES: Readonly<Record<Log, string>> = {
    changeLogDays: 'ix_authorization_change_logs_owning_tenant_id_created_at_id',
    securityLogDays: 'ix_security_events_tenant_id_created_at_id',
    deviceActivityDays: 'ix_device_activities_tenant_id_device_id_started_at_id',
    eventDays: 'ix_events_tenant_id_number',
  };

  /** The statements of a run of a job about a log and retentions. */
  async function statementsOf(log: Log, signal?: AbortSignal): Promise<readonly (readonly [sql: string, parameters: unknown[]])[]> {
    const { manager } = server.dataSource;
    const spies = [vi.spyOn(manager, 'query'), vi.spyOn(server.dataSource, 'query'), vi.spyOn(poolOf(manager), 'query')];
    await run(server, log, signal);
    const calls = spies.flatMap(({ mock }) => mock.calls as unknown as [string, unknown[]][]);
    for (const spy of spies) spy.mockRestore();
    return calls.filter(([sql]) => typeof sql === 'string' && (sql.includes(LOGS[log].table) || sql.includes('log_retentions')));
  }

  it.each(ALL)('costs one query where no tenant has a retention of its own: %s', async (log) => {
    for (let tenants = 0; tenants < 3; tenants += 1) await insert(server, log, await createTenant(server), 0, 2);
    const statements = await statementsOf(log);
    expect(statements.filter(([sql]) => sql.includes('log_retentions'))).toHaveLength(1);
    expect(statements.filter(([sql]) => /tenant_id = \$1/.test(sql))).toEqual([]);
  });

  it('asks about the devices of no tenant once the service stops', async () => {
    const log = 'deviceActivityDays';
    const { id } = await createTenant(server);
    await server.dataSource.query(`INSERT INTO log_retentions (tenant_id, ${COLUMNS[log]}) VALUES ($1, $2)`, [id, DAYS[log]]);
    const statements = await statementsOf(log, AbortSignal.abort());
    await server.dataSource.query('DELETE FROM log_retentions');
    expect(statements.filter(([sql]) => sql.includes('log_retentions'))).toHaveLength(1);
    expect(statements.filter(([sql]) => /tenant_id = \$1/.test(sql))).toEqual([]);
  });

  it.each(ALL)('finds them with an index among those of many tenants: %s', async (log) => {
    const tenants: string[] = [];
    for (let n = 0; n < 20; n += 1) {
      const { id } = await createTenant(server);
      tenants.push(id);
      await insert(server, log, { id }, (DAYS[log] + 1) * DAY_MS, 1_000);
      await insert(server, log, { id }, 0, 1_000);
      if (log === 'changeLogDays') await chain(server, id);
    }
    await server.dataSource.query('ANALYZE');
    await server.dataSource.query(`INSERT INTO log_retentions (tenant_id, ${COLUMNS[log]}) VALUES ($1, $2)`, [tenants[7], DAYS[log]]);
    const removing = (await statementsOf(log)).filter(([sql]) => /tenant_id = \$1/.test(sql) && !sql.includes('log_retentions'));
    expect(removing.length).toBeGreaterThan(0);
    expect(await left(server, log, { id: tenants[7] })).toBe(1_000);
    for (const [sql, parameters] of removing) {
      const plan = JSON.stringify(await server.dataSource.query(`EXPLAIN (FORMAT JSON) ${sql}`, parameters));
      expect(plan).toContain(INDEXES[log]);
      expect(plan).not.toContain('Seq Scan');
    }
  });
});
