import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import pg from 'pg';

import type { Service } from '../../../demo/service.js';
import type { VerifiedChains } from '../../../src/access/change-logs/chain/verify-chains.js';
import type { ApiClient } from '../../support/application/api-client.js';
import { createTestDatabase, type TestDatabase } from '../../support/brokers/postgres.js';
import { eventually } from '../../support/eventually.js';
import { Machine, onDatabase } from '../../support/processes/service-process.js';
import { configured, emptyDatabase, filledDatabase, query, run, type Ended } from '../backup/backups.js';

const LONG = 240_000;
const WRITERS = 50;
const SERVER_LOG = '00000000-0000-0000-0000-000000000000';
const TABLES = ['authorization_change_logs', 'change_log_links', 'change_log_chains'];

interface Verified extends VerifiedChains {
  readonly isSound: boolean;
}

interface Place {
  readonly position: number;
  readonly id: string;
}

let machine: Machine;
let database: TestDatabase;
let service: Service;
let client: ApiClient;
let sql: pg.Client;
/** A tenant with some entries, and where they are. */
let tenantId: string;
let places: readonly Place[];

const placesNow = (): Promise<readonly Place[]> =>
  rowsOf<Place>(
    `SELECT l.position::integer AS position, l.entry_id AS id FROM change_log_links l WHERE log_id = '${tenantId}' ORDER BY position`,
  );

beforeAll(async () => {
  [machine, database] = await Promise.all([Machine.open(), createTestDatabase()]);
});

beforeAll(async () => {
  service = await machine.start(onDatabase(database));
  client = machine.client(service);
  sql = new pg.Client(database.connection);
  await sql.connect();
  tenantId = await newTenant();
  for (let n = 0; n < 7; n += 1) await write(tenantId, n);
  places = await placesNow();
  expect(places.map(({ position }) => position)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
}, LONG);

afterAll(async () => {
  await sql.end();
  await machine.close();
  await database.drop();
});

async function rowsOf<Row extends pg.QueryResultRow>(text: string): Promise<readonly Row[]> {
  return (await sql.query<Row>(text)).rows;
}

async function newTenant(): Promise<string> {
  return (await client.post('/api/v1/tenants', { body: { name: 'Workshop' } })).as<{ tenantId: string }>().tenantId;
}

/** Writes an entry of a tenant. */
async function write(tenant: string, n: number): Promise<void> {
  const name = `Schlüssel ${n} 🔑`;
  (await client.put(`/api/v1/tenants/${tenant}`, { body: { name } })).as<unknown>();
}

/** Runs `npm run audit:verify` without npm, beside the service. */
function verify(...args: readonly string[]): Promise<Ended> {
  return verifyIn(database, ...args);
}

function verifyIn(place: TestDatabase, ...args: readonly string[]): Promise<Ended> {
  return run('audit-verify', args, machine.folder, configured(place, machine.dataPath));
}

async function verified(...args: readonly string[]): Promise<Verified & { readonly code: number | null }> {
  const { code, output } = await verify('--json', ...args);
  return { code, ...(JSON.parse(output) as Verified) };
}

describe('a change log that nobody touched', () => {
  it('is sound, and what the program prints as heads is what the API answers', async () => {
    const { code, isSound, findings, unchecked, heads } = await verified();
    expect({ code, isSound, findings, unchecked }).toEqual({ code: 0, isSound: true, findings: [], unchecked: [] });
    const listed = (await client.get('/account/change-log/server/heads')).as<{ items: unknown; next: null }>();
    expect(listed).toEqual({ items: heads, next: null });
    const own = (await client.get('/account/change-log/head', { query: { tenantId } })).as<unknown>();
    expect(heads).toContainEqual(own);
    expect((await verify()).output).toMatch(/^The change log is as it was written: \d+ entries in \d logs\.\n$/);
  });

  it('has one chain of a tenant in which many write at once, while it is verified', async () => {
    const tenant = await newTenant();
    const writing = Promise.all(
      Array.from({ length: WRITERS }, async (_, writer) => {
        for (let n = 0; n < 3; n += 1) {
          (
            await client.post('/api/v1/installer-keys', {
              body: { tenantId: tenant, keyType: 'Persistent', friendlyName: `${writer}.${n}` },
            })
          ).as<unknown>();
        }
      }),
    );
    const during = await verified();
    await writing;
    expect(during).toMatchObject({ code: 0, findings: [] });
    expect(await verified('--tenant', tenant)).toMatchObject({ code: 0, findings: [], entries: 1 + WRITERS * 3 });
  });

  it('says what is wrong with the command line, with a code of its own', async () => {
    expect(await verify('--tenant', 'Workshop')).toMatchObject({ code: 2, output: expect.stringContaining('Usage: npm run audit:verify') });
    expect(await verify('--head', 'missing.json')).toMatchObject({
      code: 2,
      output: expect.stringContaining('missing.json cannot be used'),
    });
    await writeFile(join(machine.folder, 'other.json'), '{"hash":1}');
    expect(await verify('--head', 'other.json')).toMatchObject({ code: 2, output: expect.stringContaining('has no head') });
    const away = { ...database, connection: { ...database.connection, host: '127.0.0.1', port: 1 } };
    expect(await verifyIn(away)).toMatchObject({ code: 2, output: expect.stringContaining('cannot be reached') });
  });
});

describe('a change log that was altered by SQL', () => {
  beforeAll(async () => {
    for (const table of TABLES) await sql.query(`CREATE TABLE saved_${table} AS TABLE ${table}`);
  });

  // Back to what the service wrote.
  beforeEach(async () => {
    for (const table of TABLES)
      await sql.query(
        `ALTER TABLE ${table} DISABLE TRIGGER USER; TRUNCATE ${table} CASCADE; INSERT INTO ${table} TABLE saved_${table}; ALTER TABLE ${table} ENABLE TRIGGER USER`,
      );
  });

  afterAll(async () => {
    for (const table of TABLES) await sql.query(`DROP TABLE saved_${table}`);
  });

  const LINK = (position: number): string => `log_id = '${tenantId}' AND position = ${position}`;
  const entry = (position: number): string => places[position - 1].id;
  /** Swaps values of two links in three steps, because they are unique. */
  const swap = (column: 'entry_id' | 'position', one: string, other: string): string[] =>
    column === 'position'
      ? [
          `UPDATE change_log_links SET position = -1 WHERE ${one}`,
          `UPDATE change_log_links SET position = 3 WHERE ${other}`,
          `UPDATE change_log_links SET position = 4 WHERE log_id = '${tenantId}' AND position = -1`,
        ]
      : [
          `UPDATE change_log_links SET entry_id = gen_random_uuid() WHERE ${one}`,
          `UPDATE change_log_links SET entry_id = '${entry(3)}' WHERE ${other}`,
          `UPDATE change_log_links SET entry_id = '${entry(4)}' WHERE ${one}`,
        ];
  const INSERT = 'INSERT INTO authorization_change_logs (id, action_type, actor_principal_type, target_type, owning_tenant_id';

  interface Alteration {
    readonly title: string;
    readonly by: () => readonly string[];
    readonly kind: string;
    /** Of the first row; null where only its position is known, or where it has none. */
    readonly position: number | null;
    readonly entryId: () => string | null;
  }

  const altered: readonly Alteration[] = [
    ...Object.entries({
      created_at: `created_at + interval '1 microsecond'`,
      action_type: `'tenant-created'`,
      actor_principal_type: `'system'`,
      actor_principal_id: 'gen_random_uuid()',
      target_type: `'User'`,
      target_id: 'NULL',
      ip_address: `'192.0.2.1'`,
      correlation_id: `'another'`,
      user_correlation_id: `''`,
      session_correlation_id: `'ticket'`,
      before_json: 'NULL',
      after_json: `replace(after_json, 'ü', 'u')`,
    }).map(([column, value]) => ({
      title: `a changed ${column}`,
      by: () => [`UPDATE authorization_change_logs SET ${column} = ${value} WHERE id = '${entry(3)}'`],
      kind: 'changed',
      position: 3,
      entryId: () => entry(3),
    })),
    {
      title: 'an entry that was changed with the hash of its link',
      by: () => [
        `UPDATE authorization_change_logs SET after_json = '{}' WHERE id = '${entry(3)}'`,
        `UPDATE change_log_links l SET hash = change_log_hash(l.log_id, l.position, l.previous_hash, e) FROM authorization_change_logs e WHERE e.id = l.entry_id AND l.${LINK(3)}`,
      ],
      kind: 'changed',
      position: 3,
      entryId: () => entry(3),
    },
    {
      title: 'a last entry that was changed with the hash of its link',
      by: () => [
        `UPDATE authorization_change_logs SET after_json = '{}' WHERE id = '${entry(8)}'`,
        `UPDATE change_log_links l SET hash = change_log_hash(l.log_id, l.position, l.previous_hash, e) FROM authorization_change_logs e WHERE e.id = l.entry_id AND l.${LINK(8)}`,
      ],
      kind: 'changed',
      position: 8,
      entryId: () => entry(8),
    },
    {
      title: 'a deleted entry',
      by: () => [`DELETE FROM authorization_change_logs WHERE id IN ('${entry(4)}', '${entry(6)}')`],
      kind: 'deleted',
      position: 4,
      entryId: () => entry(4),
    },
    {
      title: 'an entry that was deleted with its link',
      by: () => [`DELETE FROM authorization_change_logs WHERE id = '${entry(4)}'`, `DELETE FROM change_log_links WHERE ${LINK(4)}`],
      kind: 'deleted',
      position: 4,
      entryId: () => null,
    },
    {
      title: 'an entry that was deleted, with later ones moved into the gap',
      by: () => [
        `DELETE FROM authorization_change_logs WHERE id = '${entry(4)}'`,
        `DELETE FROM change_log_links WHERE ${LINK(4)}`,
        ...[5, 6, 7, 8].map((position) => `UPDATE change_log_links SET position = ${position - 1} WHERE ${LINK(position)}`),
        `UPDATE change_log_chains SET position = 7 WHERE log_id = '${tenantId}'`,
      ],
      kind: 'deleted',
      position: 4,
      entryId: () => null,
    },
    {
      title: 'a last entry that was deleted with its link',
      by: () => [`DELETE FROM authorization_change_logs WHERE id = '${entry(8)}'`, `DELETE FROM change_log_links WHERE ${LINK(8)}`],
      kind: 'deleted',
      position: 8,
      entryId: () => null,
    },
    {
      title: 'first entries that were deleted as if they had expired',
      by: () => [
        `DELETE FROM authorization_change_logs WHERE id IN ('${entry(1)}', '${entry(2)}')`,
        `DELETE FROM change_log_links WHERE log_id = '${tenantId}' AND position <= 2`,
        `UPDATE change_log_chains SET removed_position = 2 WHERE log_id = '${tenantId}'`,
      ],
      kind: 'deleted',
      position: 2,
      entryId: () => null,
    },
    {
      title: 'a whole log that was deleted with its head',
      by: () => [
        `DELETE FROM authorization_change_logs WHERE owning_tenant_id = '${tenantId}'`,
        `DELETE FROM change_log_chains WHERE log_id = '${tenantId}'`,
      ],
      kind: 'deleted',
      position: null,
      entryId: () => null,
    },
    {
      title: 'an inserted entry',
      by: () => [`${INSERT}) VALUES ('${SERVER_LOG}', 'tenant-updated', 'user', 'Tenant', '${tenantId}')`],
      kind: 'inserted',
      position: null,
      entryId: () => SERVER_LOG,
    },
    {
      title: 'an entry that was inserted with a link, with later ones moved',
      by: () => [
        `${INSERT}, created_at) SELECT '${SERVER_LOG}', 'tenant-updated', 'user', 'Tenant', '${tenantId}', created_at FROM authorization_change_logs WHERE id = '${entry(3)}'`,
        ...[8, 7, 6, 5, 4].map((position) => `UPDATE change_log_links SET position = ${position + 1} WHERE ${LINK(position)}`),
        `UPDATE change_log_chains SET position = 9 WHERE log_id = '${tenantId}'`,
        `INSERT INTO change_log_links SELECT l.log_id, 4, e.id, l.hash, change_log_hash(l.log_id, 4, l.hash, e)
         FROM change_log_links l, authorization_change_logs e WHERE e.id = '${SERVER_LOG}' AND l.${LINK(3)}`,
      ],
      kind: 'inserted',
      position: 4,
      entryId: () => SERVER_LOG,
    },
    {
      title: 'entries that changed places',
      by: () => swap('position', LINK(3), LINK(4)),
      kind: 'reordered',
      position: 3,
      entryId: () => entry(4),
    },
    {
      title: 'entries that changed links',
      by: () => swap('entry_id', LINK(3), LINK(4)),
      kind: 'reordered',
      position: 3,
      entryId: () => entry(4),
    },
  ];

  it.each(altered)('is found: $title', async ({ by, kind, position, entryId }) => {
    for (const statement of by()) await sql.query(statement);
    const { code, isSound, findings } = await verified();
    expect({ code, isSound }).toEqual({ code: 1, isSound: false });
    expect(findings[0]).toMatchObject({ kind, tenantId, position, entryId: entryId() });
  });

  it('is found only against a head that was kept, if all that follows was written again', async () => {
    await writeFile(join(machine.folder, 'heads.json'), (await client.get('/account/change-log/server/heads')).text);
    const [{ hash }] = await rowsOf<{ hash: string }>(`SELECT encode(hash, 'hex') AS hash FROM change_log_links WHERE ${LINK(8)}`);
    expect(await verified('--head', 'heads.json', '--head', hash)).toMatchObject({ code: 0, findings: [] });
    await sql.query(`UPDATE authorization_change_logs SET after_json = '{}' WHERE id = '${entry(3)}'`);
    await sql.query(
      `DELETE FROM change_log_links WHERE log_id = '${tenantId}'; DELETE FROM change_log_chains WHERE log_id = '${tenantId}'`,
    );
    await sql.query(
      `SELECT chain_change_log('${tenantId}', array_agg(e ORDER BY e.created_at, e.id)) FROM authorization_change_logs e WHERE owning_tenant_id = '${tenantId}'`,
    );
    expect(await verified()).toMatchObject({ code: 0 });
    const found = { kind: 'rewritten', tenantId, position: 8 };
    expect(await verified('--head', 'heads.json')).toMatchObject({ code: 1, findings: [found] });
    expect(await verified('--head', hash)).toMatchObject({ code: 1, findings: [{ kind: 'rewritten', position: null }] });
  });

  it('is found against a head that was kept, if its end was deleted with the head', async () => {
    await writeFile(join(machine.folder, 'head.json'), (await client.get('/account/change-log/head', { query: { tenantId } })).text);
    await sql.query(
      `DELETE FROM authorization_change_logs WHERE id = '${entry(8)}'; DELETE FROM change_log_links WHERE ${LINK(8)};
       UPDATE change_log_chains SET position = 7, hash = (SELECT hash FROM change_log_links WHERE ${LINK(7)}) WHERE log_id = '${tenantId}'`,
    );
    expect(await verified('--tenant', tenantId)).toMatchObject({ code: 0 });
    const found = { kind: 'deleted', tenantId, position: 8, entryId: null };
    expect(await verified('--tenant', tenantId, '--head', 'head.json')).toMatchObject({ code: 1, findings: [found] });
    expect(await verified('--tenant', 'server', '--head', 'head.json')).toMatchObject({ code: 0 });
  });

  it('is found after its tenant was deleted, also if nothing is left of it', async () => {
    const deleted = await newTenant();
    await write(deleted, 1);
    expect((await client.delete(`/api/v1/tenants/${deleted}`)).status).toBe(204);
    const closed = () =>
      rowsOf<{ after: string }>(
        `SELECT after_json AS after FROM authorization_change_logs WHERE owning_tenant_id IS NULL AND action_type = 'tenant-log-closed' AND target_id = '${deleted}'`,
      );
    await eventually('the log is closed', async () => (await closed()).length === 1);
    const [{ after }] = await closed();
    const { code, heads } = await verified();
    expect(code).toBe(0);
    expect(heads).toContainEqual({ tenantId: deleted, ...(JSON.parse(after) as object) });
    await sql.query(`DELETE FROM authorization_change_logs WHERE owning_tenant_id = '${deleted}'`);
    await sql.query(`DELETE FROM change_log_links WHERE log_id = '${deleted}'; DELETE FROM change_log_chains WHERE log_id = '${deleted}'`);
    expect(await verified()).toMatchObject({ code: 1, findings: [{ kind: 'deleted', tenantId: deleted, position: 1 }] });
  });
});

describe('a change log of which entries expired', () => {
  it(
    'is sound from the oldest that is left, and says which heads it can no longer compare',
    async () => {
      const tenant = await newTenant();
      await writeFile(
        join(machine.folder, 'expired.json'),
        (await client.get('/account/change-log/head', { query: { tenantId: tenant } })).text,
      );
      for (let n = 0; n < 4; n += 1) await write(tenant, n);
      // As if the first three had been written long ago: the links are made of them then.
      await sql.query(
        `UPDATE authorization_change_logs e SET created_at = e.created_at - interval '400 days' FROM change_log_links l
       WHERE l.entry_id = e.id AND l.log_id = '${tenant}' AND l.position <= 3`,
      );
      await sql.query(`DELETE FROM change_log_links WHERE log_id = '${tenant}'; DELETE FROM change_log_chains WHERE log_id = '${tenant}'`);
      await sql.query(
        `SELECT chain_change_log('${tenant}', array_agg(e ORDER BY e.created_at, e.id)) FROM authorization_change_logs e WHERE owning_tenant_id = '${tenant}'`,
      );
      // Another tenant keeps its entries for a shorter time than the server will.
      const shorter = await newTenant();
      for (let n = 0; n < 3; n += 1) await write(shorter, n);
      await sql.query(
        `UPDATE authorization_change_logs e SET created_at = e.created_at - interval '100 days' FROM change_log_links l
       WHERE l.entry_id = e.id AND l.log_id = '${shorter}' AND l.position <= 2`,
      );
      await sql.query(
        `DELETE FROM change_log_links WHERE log_id = '${shorter}'; DELETE FROM change_log_chains WHERE log_id = '${shorter}'`,
      );
      await sql.query(
        `SELECT chain_change_log('${shorter}', array_agg(e ORDER BY e.created_at, e.id)) FROM authorization_change_logs e WHERE owning_tenant_id = '${shorter}'`,
      );
      const ofShorter = { query: { tenantId: shorter } };
      await writeFile(join(machine.folder, 'shorter.json'), (await client.get('/account/change-log/head', ofShorter)).text);
      (await client.put('/account/log-retention', { ...ofShorter, body: { changeLogDays: 90 } })).as<unknown>();
      await service.program.stop();
      await sql.query(`UPDATE job_runs SET finished_at = finished_at - interval '2 days'`);
      service = await machine.start({ ...onDatabase(database), Service_AppOptions__AuthorizationChangeLogRetentionDays: '365' });
      client = machine.client(service);
      const left = () =>
        rowsOf<{ position: number }>(`SELECT position::integer FROM change_log_links WHERE log_id = '${tenant}' ORDER BY 1`);
      await eventually('entries expire', async () => (await left()).length === 2);
      expect((await left()).map(({ position }) => position)).toEqual([4, 5]);
      expect(await verified('--tenant', tenant)).toMatchObject({ code: 0, entries: 2 });
      const { code, unchecked } = await verified('--tenant', tenant, '--head', 'expired.json');
      expect({ code, unchecked }).toEqual({ code: 2, unchecked: [expect.stringContaining('the oldest that is left is at position 4')] });
      await write(tenant, 9);
      expect(await verified('--tenant', tenant)).toMatchObject({ code: 0, entries: 3 });
      const first = () =>
        rowsOf<{ position: number }>(`SELECT min(position)::integer AS position FROM change_log_links WHERE log_id = '${shorter}'`);
      await eventually('those of the other tenant expire', async () => (await first())[0].position === 3);
      expect(await verified('--tenant', shorter, '--head', 'shorter.json')).toMatchObject({ code: 0, findings: [], unchecked: [] });
    },
    LONG,
  );
});

describe('a change log from before there were chains', () => {
  it(
    'is chained by the upgrade, and sound after it was backed up and restored',
    async () => {
      const [filled, empty] = await Promise.all([filledDatabase(), emptyDatabase()]);
      try {
        const file = join(machine.folder, 'backup');
        expect(await run('backup', [file], machine.folder, configured(filled, machine.dataPath))).toMatchObject({ code: 0 });
        expect(await run('restore', [file], machine.folder, configured(empty, join(machine.folder, 'restored')))).toMatchObject({
          code: 0,
        });
        const entries = Number((await query<{ count: string }>(filled, 'SELECT count(*) FROM authorization_change_logs'))[0].count);
        expect(entries).toBeGreaterThan(0);
        for (const place of [filled, empty]) {
          const { code, output } = await verifyIn(place, '--json');
          expect({ code, ...(JSON.parse(output) as Verified) }).toMatchObject({ code: 0, entries, findings: [] });
        }
      } finally {
        await Promise.all([filled.drop(), empty.drop()]);
      }
    },
    LONG,
  );
});
