import { randomUUID } from 'node:crypto';

import pg from 'pg';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { describe, expect, it, onTestFinished } from 'vitest';

import { untilListening } from '../../../demo/service.js';
import { entities } from '../../../src/entities.js';
import { codeOf } from '../../../src/platform/common/errors/system-error.js';
import { SERVICE_VERSION } from '../../../src/platform/common/runtime/service-version.js';
import { dataSourceOptions } from '../../../src/platform/database/connection/data-source.js';
import { openDataSource } from '../../../src/platform/database/connection/open-data-source.js';
import { migrations } from '../../../src/platform/database/migrations/index.js';
import { createTestDatabase, type TestDatabase } from '../../support/brokers/postgres.js';
import { Work, type StoredDevice } from '../../support/devices/continuous-work.js';
import { eventually } from '../../support/eventually.js';
import { enrol } from '../../support/devices/reporting-device.js';
import { Machine, onDatabase, portToKeep } from '../../support/processes/service-process.js';
import { firstDatabase, query, upgrade } from '../backup/backups.js';
import { Traffic } from './traffic.js';
import { Held } from './upgrades.js';

/** Time for which a migration waits for a table, and what a busy machine takes beside it, in milliseconds. */
const LONGEST_WAIT_MS = 3_000 + 10_000;
/** Tries for which a table stays locked. They take longer than one wait may. */
const HELD_TRIES = 4;
/** SQLSTATE of a transaction that PostgreSQL ended because another one waited for it. */
const DEADLOCK = '40P01';
const ATTEMPTS = 3;

const JSON_LOG = { Service_Logging__Format: 'Json' };

const tooLong = (traffic: Traffic): readonly string[] =>
  [...traffic.longest].filter(([, longest]) => longest > LONGEST_WAIT_MS).map(([name, longest]) => `${name}: ${Math.round(longest)} ms`);

async function openMachine(): Promise<Machine> {
  const machine = await Machine.open();
  onTestFinished(() => machine.close());
  return machine;
}

/** Statements in the shape of the first release, on a connection for each work, and the rows that were acknowledged. */
class FormerProcess {
  readonly written: { readonly table: string; readonly id: string }[] = [];
  heartbeats = 0;
  repeated = 0;
  private readonly clients: pg.Client[] = [];

  constructor(private readonly database: TestDatabase) {}

  async begin(): Promise<Traffic> {
    // The service removes a tenant that is marked as deleted soon after its start, with users and devices.
    const [tenant] = await query<{ id: string }>(this.database, 'SELECT id FROM tenants WHERE deleted_at IS NULL');
    const [user] = await query<{ id: string }>(this.database, `SELECT id FROM users WHERE tenant_id = '${tenant.id}'`);
    const [device] = await query<{ id: string }>(this.database, `SELECT id FROM devices WHERE tenant_id = '${tenant.id}'`);
    await query(this.database, `UPDATE devices SET last_update_ticks = 0`);
    const [heartbeats, tenants, groups, changes, sessions, lists] = await Promise.all(Array.from({ length: 6 }, () => this.connect()));
    return new Traffic({
      heartbeats: async () => {
        await heartbeats.query(
          'UPDATE devices SET cpu_utilization = $2, is_online = NOT is_online, last_seen = now(), last_update_ticks = last_update_ticks + 1 WHERE id = $1',
          [device.id, Math.random()],
        );
        this.heartbeats += 1;
      },
      tenants: (turn) => this.insert(tenants, 'tenants', '(id, name) VALUES ($1, $2)', [`tenant ${turn}`]),
      groups: (turn) => this.insert(groups, 'device_groups', '(id, tenant_id, name) VALUES ($1, $2, $3)', [tenant.id, `group ${turn}`]),
      changes: (turn) =>
        this.inTransaction(changes, async () => {
          await changes.query('UPDATE users SET phone_number = $2 WHERE id = $1', [user.id, String(turn)]);
          return this.insertOf(changes, 'authorization_change_logs', CHANGE, [tenant.id, JSON.stringify({ turn })]);
        }),
      sessions: async () => {
        await this.insert(sessions, 'device_activities', ACTIVITY, [tenant.id, device.id]);
        await sessions.query('UPDATE device_activities SET ended_at = now(), outcome = $2 WHERE id = $1', [
          this.lastOf('device_activities'),
          'Ended',
        ]);
      },
      lists: async () => {
        await lists.query(
          'SELECT d.id, d.name, c.name FROM devices d LEFT JOIN customers c ON c.id = d.customer_id ORDER BY d.name LIMIT 100',
        );
        await lists.query('SELECT u.id, u.user_name, t.name FROM users u JOIN tenants t ON t.id = u.tenant_id ORDER BY 2 LIMIT 100');
      },
    });
  }

  async end(): Promise<void> {
    await Promise.all(this.clients.map((client) => client.end()));
  }

  /** Acknowledged rows that are not there. */
  async lost(): Promise<readonly string[]> {
    const lost: string[] = [];
    for (const table of new Set(this.written.map((row) => row.table))) {
      const there = new Set((await query<{ id: string }>(this.database, `SELECT id FROM ${table}`)).map(({ id }) => id));
      lost.push(...this.written.filter((row) => row.table === table && !there.has(row.id)).map(({ id }) => `${table} ${id}`));
    }
    const [{ ticks }] = await query<{ ticks: string }>(this.database, 'SELECT sum(last_update_ticks) AS ticks FROM devices');
    if (Number(ticks) !== this.heartbeats) lost.push(`${this.heartbeats - Number(ticks)} heartbeats`);
    return lost;
  }

  private lastOf(table: string): string | undefined {
    return this.written.findLast((row) => row.table === table)?.id;
  }

  private async insert(client: pg.Client, table: string, columns: string, values: readonly string[]): Promise<void> {
    this.written.push({ table, id: await this.insertOf(client, table, columns, values) });
  }

  private async insertOf(client: pg.Client, table: string, columns: string, values: readonly string[]): Promise<string> {
    const id = randomUUID();
    await client.query(`INSERT INTO ${table} ${columns}`, [id, ...values]);
    return id;
  }

  /** Repeats a transaction that PostgreSQL ended because of a deadlock, as the unit of work of the service does. */
  private async inTransaction(client: pg.Client, work: () => Promise<string>): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        await client.query('BEGIN');
        const id = await work();
        await client.query('COMMIT');
        this.written.push({ table: 'authorization_change_logs', id });
        return;
      } catch (error) {
        await client.query('ROLLBACK');
        if (codeOf(error) !== DEADLOCK || attempt === ATTEMPTS) throw error;
        this.repeated += 1;
      }
    }
  }

  private async connect(): Promise<pg.Client> {
    const client = new pg.Client(this.database.connection);
    await client.connect();
    this.clients.push(client);
    return client;
  }
}

const CHANGE = `(id, owning_tenant_id, after_json, action_type, actor_principal_type, target_type)
  VALUES ($1, $2, $3, 'user-updated', 'system', 'User')`;
const ACTIVITY = `(id, tenant_id, device_id, kind, principal_kind, principal_name, correlation_id, node_id, started_at)
  VALUES ($1, $2, $3, 'Terminal', 'System', 'former', 'former', 'former', now())`;

/** A migration of a later release on whose schema this one still runs. */
class Later9999999999999 implements MigrationInterface {
  readonly name = 'Later9999999999999';
  readonly runsOn = SERVICE_VERSION;
  readonly locks = ['devices', 'tags', 'tenants', 'users'];

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE devices ADD COLUMN later text');
    await runner.query('ALTER TABLE tags ADD COLUMN later text');
    await runner.query('ALTER TABLE users ADD COLUMN later text');
    await runner.query('CREATE TABLE later (id uuid PRIMARY KEY, tenant_id uuid NOT NULL REFERENCES tenants (id) ON DELETE CASCADE)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE later');
    for (const table of ['users', 'tags', 'devices']) await runner.query(`ALTER TABLE ${table} DROP COLUMN later`);
  }
}

describe('an upgrade beside others that work', () => {
  it('says at each try that it waits, in one line of the log of the service, and refuses, delays and loses nothing of a former process', async () => {
    const database = await firstDatabase();
    onTestFinished(() => database.drop());
    const machine = await openMachine();
    const former = new FormerProcess(database);
    onTestFinished(() => former.end());
    const traffic = await former.begin();
    onTestFinished(() => traffic.stop());
    await eventually('the former process works', () => traffic.hasDone(5));

    // The upgrade has locked devices when it comes to tenants.
    const held = await Held.by(database, 'LOCK TABLE tenants IN ROW EXCLUSIVE MODE');
    const program = machine.launch({ ...onDatabase(database), ...JSON_LOG });
    try {
      await program.untilPrints(new RegExp(`"attempt":${HELD_TRIES}\\b`));
    } finally {
      await held.release();
    }
    await program.untilPrints(/Listening on/);
    const done = Math.max(...traffic.turns.values());
    await eventually('the former process goes on', () => traffic.hasDone(5) && Math.max(...traffic.turns.values()) > done);
    await traffic.stop();

    expect(traffic.failures).toEqual([]);
    expect(tooLong(traffic)).toEqual([]);
    expect(former.written.length).toBeGreaterThan(20);
    expect(await former.lost()).toEqual([]);
    await program.stop();

    const lines = program.output
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { level: string; message: unknown });
    const tries = lines.filter(({ message }) => JSON.stringify(message).includes('The upgrade waits for a table'));
    expect(tries.length).toBeGreaterThanOrEqual(HELD_TRIES);
    expect(tries.slice(0, HELD_TRIES)).toMatchObject(
      Array.from({ length: HELD_TRIES }, (_, at) => ({
        level: 'warn',
        message: {
          migration: 'DeviceFieldsAndNotes1764190000000',
          attempt: at + 1,
          attempts: 20,
          reason: 'canceling statement due to lock timeout',
        },
      })),
    );
    // Later ones wait for what the former process does just then, if for anything.
    expect(tries).toMatchObject(tries.map((_, at) => ({ level: 'warn', message: { attempt: at + 1, attempts: 20 } })));
    expect(lines.filter(({ message }) => JSON.stringify(message).includes('Migration "'))).toEqual([]);
  });

  it('is tried again when PostgreSQL ends it because of a deadlock', async () => {
    const database = await firstDatabase();
    onTestFinished(() => database.drop());
    const held = await Held.by(database, 'LOCK TABLE tenants IN ROW EXCLUSIVE MODE');
    const upgraded = upgrade(database);
    await held.untilAwaited('tenants');
    // The upgrade waits longer, so that it is the one that PostgreSQL ends; on a machine that pauses here, it is the other.
    await held.run('UPDATE devices SET cpu_utilization = 0').catch((error: unknown) => expect(codeOf(error)).toBe(DEADLOCK));
    await held.release();
    await upgraded;
    expect(await query(database, `SELECT to_regclass('backup_runs') IS NOT NULL AS there`)).toEqual([{ there: true }]);
  });

  it('of a later release, on whose schema this one may run, disturbs no request and no report of a device', async () => {
    const database = await createTestDatabase();
    onTestFinished(() => database.drop());
    const machine = await openMachine();
    const env = { ...onDatabase(database), Service_Port: String(await portToKeep()) };
    const service = await machine.start(env);
    const client = machine.client(service);
    const enrolment = await enrol(client);
    const { tenantId } = enrolment;
    const work = await Work.begin(service.url, enrolment);
    machine.alsoStop(work);
    const tags: string[] = [];
    const traffic = new Traffic({
      tags: async (turn) => {
        const created = await client.post('/api/v1/tags', { query: { tenantId }, body: { name: `tag ${turn}`, type: 'Permission' } });
        tags.push(created.as<{ id: string }>().id);
      },
      devices: async () => (await client.get('/api/v1/devices', { query: { tenantId } })).as(),
      users: async () => (await client.get('/api/v1/users', { query: { tenantId } })).as(),
    });
    onTestFinished(() => traffic.stop());
    await work.progress(3);
    await eventually('requests are answered', () => traffic.hasDone(3));

    const held = await Held.by(database, 'LOCK TABLE users IN ACCESS SHARE MODE');
    const upgraded = openDataSource({
      ...dataSourceOptions(database.connection, entities),
      migrations: [...migrations, Later9999999999999],
    });
    try {
      await held.untilAwaited('users');
      await eventually('requests wait behind it', async () => (await held.awaited()).some((name) => name === 'devices' || name === 'tags'));
    } finally {
      await held.release();
    }
    await (await upgraded).destroy();
    await work.progress(3);
    const done = new Map(traffic.turns);
    await eventually('requests are answered', () => [...traffic.turns].every(([name, turns]) => turns > (done.get(name) ?? 0) + 3));
    await Promise.all([traffic.stop(), work.stop()]);

    expect(traffic.failures).toEqual([]);
    expect(tooLong(traffic)).toEqual([]);
    await service.program.stop();
    // It starts on the schema of the later release, and has all that was acknowledged before, during and after the upgrade.
    const again = await untilListening(machine.launch(env));
    const after = machine.client(again);
    const { text } = await after.get('/api/v1/tags', { query: { tenantId } });
    expect(tags.filter((id) => !text.includes(id))).toEqual([]);
    expect(work.missingFrom((await after.get('/api/v1/devices')).as<StoredDevice[]>())).toEqual([]);
    expect(await query(database, 'SELECT release FROM schema_floor')).toEqual([{ release: SERVICE_VERSION }]);
  });
});
