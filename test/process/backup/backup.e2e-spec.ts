import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { generateX25519Identity, identityToRecipient } from 'age-encryption';
import pg from 'pg';

import { Program } from '../../../demo/program.js';
import { plainEnvironment } from '../../../demo/service.js';
import { AdvisoryLock } from '../../../src/platform/database/locks/advisory-locks.js';
import { LEFT_OUT } from '../../../src/system/backups/tables.js';
import type { TestDatabase } from '../../support/brokers/postgres.js';
import { eventually } from '../../support/eventually.js';
import { builtProject } from '../../support/processes/service-process.js';
import { withSmallDisk } from '../../support/setup/small-disk.js';
import {
  changedArchive,
  configured,
  contentsOf,
  emptyDatabase,
  filledDatabase,
  firstDatabase,
  isConnected,
  isRestoring,
  launch,
  query,
  run,
  tablesOf,
  upgrade,
  type Ended,
} from './backups.js';

const LONG = 300_000;

let folder: string;
let data: string;
let filled: TestDatabase;
let empty: TestDatabase;
let contents: Readonly<Record<string, string>>;
/** A backup of `filled` with two files. */
let backup: string;
let count = 0;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'backups-'));
  data = join(folder, 'data');
  await mkdir(join(data, 'downloads', 'linux-x64'), { recursive: true });
  await writeFile(join(data, 'downloads', 'linux-x64', 'agent.tar.gz'), Buffer.alloc(3_000_000, 'agent'));
  await writeFile(join(data, 'downloads', 'empty.txt'), '');
  [filled, empty] = await Promise.all([filledDatabase(), emptyDatabase()]);
  // More than one part of a table, and all that the text format of COPY escapes.
  await query(
    filled,
    `INSERT INTO user_preferences (id, principal_id, name, value)
     SELECT gen_random_uuid(), u.id, 'p' || n, md5(n::text) || md5(-n || '') || E'\\t\\n\\r\\\\ "ä" \\\\N' FROM (SELECT id FROM users LIMIT 1) u, generate_series(1, 12000) n ON CONFLICT DO NOTHING`,
  );
  contents = await contentsOf(filled);
  backup = join(folder, 'backup');
  expect(await take(backup)).toMatchObject({ code: 0 });
}, LONG);

beforeEach(async () => {
  await query(empty, 'DROP SCHEMA public CASCADE');
  await query(empty, 'CREATE SCHEMA public');
});

afterAll(async () => {
  await filled.drop();
  await empty.drop();
  await rm(folder, { recursive: true, force: true });
});

const take = (file: string, args: readonly string[] = [], from = filled, env = {}): Promise<Ended> =>
  run('backup', [...args, file], folder, { ...configured(from, data), ...env });
const restore = (args: readonly string[], to = empty, dataPath = join(folder, `restored-${(count += 1)}`)): Promise<Ended> =>
  run('restore', args, folder, configured(to, dataPath));
const fresh = (): string => join(folder, `backup-${(count += 1)}`);

describe('a backup', () => {
  it('is restored with every row of every table and every file, as a role without privileges', async () => {
    const place = join(folder, 'restored');
    const { code, output } = await restore([backup], empty, place);
    expect({ code, output }).toMatchObject({ code: 0, output: expect.stringContaining('Start the service.') });
    expect(await contentsOf(empty)).toEqual(contents);
    for (const name of LEFT_OUT) expect(await query(empty, `SELECT FROM ${name} LIMIT 1`)).toEqual([]);
    const file = 'downloads/linux-x64/agent.tar.gz';
    expect(await readFile(join(place, file))).toEqual(await readFile(join(data, file)));
    expect((await readdir(join(place, 'downloads'))).sort()).toEqual(['empty.txt', 'linux-x64']);
    expect(await query(empty, `SELECT FROM pg_trigger WHERE NOT tgisinternal AND tgenabled <> 'O'`)).toEqual([]);
    const [{ same }] = await query<{ same: boolean }>(empty, `SELECT max(id) < nextval('migrations_id_seq') AS same FROM migrations`);
    expect(same).toBe(true);
  });

  it('has a file that only its account reads, and says what is in it', async () => {
    expect((await stat(backup)).mode & 0o777).toBe(0o600);
    const { code, output } = await restore(['--verify', backup]);
    expect(code).toBe(0);
    expect(output).toMatch(/user_preferences +12\d{3}/);
    expect(output).toContain('downloads/linux-x64/agent.tar.gz (2.9 MiB)');
    expect(output).not.toMatch(new RegExp(`^ +(${LEFT_OUT.join('|')}) `, 'm'));
    expect(await tablesOf(empty)).toEqual([]);
  });

  it('of the first release is upgraded', async () => {
    const first = await firstDatabase();
    try {
      const file = fresh();
      expect(await take(file, [], first)).toMatchObject({ code: 0 });
      expect(await restore([file])).toMatchObject({ code: 0 });
      await upgrade(first);
      const upgraded = await contentsOf(first);
      // Their rows have the time of the upgrade.
      expect({ ...(await contentsOf(empty)), migrations: '' }).toEqual({ ...upgraded, migrations: '' });
    } finally {
      await first.drop();
    }
  });

  it('is encrypted for recipients, and opens with their key only', async () => {
    const [identity, other] = await Promise.all([generateX25519Identity(), generateX25519Identity()]);
    const [key, wrong] = [join(folder, 'key'), join(folder, 'wrong')];
    await writeFile(key, `# created: today\n${identity}\n`);
    await writeFile(wrong, `${other}\n`);
    const file = fresh();
    expect(await take(file, [], filled, { Service_Backup__Recipients: await identityToRecipient(identity) })).toMatchObject({ code: 0 });
    expect((await readFile(file)).subarray(0, 22).toString()).toBe('age-encryption.org/v1\n');
    expect(await restore([file])).toMatchObject({ code: 1, output: expect.stringContaining('is encrypted') });
    expect(await restore(['--identity', wrong, file])).toMatchObject({ code: 1, output: expect.stringContaining('cannot be decrypted') });
    expect(await tablesOf(empty)).toEqual([]);
    expect(await restore(['--identity', key, file])).toMatchObject({ code: 0 });
    expect(await contentsOf(empty)).toEqual(contents);
  });

  it('is of one moment while others write', async () => {
    const writer = new pg.Client(filled.connection);
    await writer.connect();
    await query(filled, 'CREATE TABLE pairs_one (n int); CREATE TABLE pairs_two (n int)');
    try {
      const ended = new AbortController();
      const file = fresh();
      const taken = take(file).finally(() => ended.abort());
      for (let n = 0; !ended.signal.aborted; n += 1)
        await writer.query(`BEGIN; INSERT INTO pairs_one VALUES (${n}); INSERT INTO pairs_two VALUES (${n}); COMMIT`);
      expect(await taken).toMatchObject({ code: 0 });
      const { output } = await restore(['--verify', file]);
      const rows = (name: string): number => Number(new RegExp(`${name} +(\\d+)`).exec(output)?.[1]);
      expect(rows('pairs_one')).toBeGreaterThan(0);
      expect(rows('pairs_one')).toBe(rows('pairs_two'));
      // Tables of others are left out, with a line each.
      expect(await restore([file])).toMatchObject({
        code: 0,
        output: expect.stringContaining('The table pairs_one is not of this service'),
      });
    } finally {
      await writer.end();
      await query(filled, 'DROP TABLE pairs_one, pairs_two');
    }
  });
});

describe('a refused backup leaves no file, old ones stay, and says', () => {
  const refused = async (file: string, taken: Promise<Ended>, sentence: RegExp | string, code = 1): Promise<void> => {
    expect(await taken).toMatchObject({ code, output: expect.stringMatching(sentence) });
    const names = await readdir(folder);
    expect(names.filter((name) => file.endsWith(name) || name.endsWith('.unfinished'))).toEqual([]);
  };

  it('that the name is taken', async () => {
    const before = await readFile(backup);
    expect(await take(backup)).toMatchObject({ code: 1, output: expect.stringContaining('a backup replaces none') });
    expect(await readFile(backup)).toEqual(before);
  });

  it('that another one runs', async () => {
    const client = new pg.Client(filled.connection);
    await client.connect();
    await client.query('SELECT pg_advisory_lock($1)', [AdvisoryLock.Backup]);
    const file = fresh();
    await refused(file, take(file), /Another backup of this database is running/);
    await client.end();
  });

  it.each([
    ['age1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqq', /Service_Backup__Recipients: expected a list/],
    ['somebody', /Service_Backup__Recipients: expected a list/],
  ])('that a configured recipient is malformed: %s', async (recipient, sentence) => {
    const file = fresh();
    await refused(file, take(file, [], filled, { Service_Backup__Recipients: recipient }), sentence);
  });

  it('that a named recipient is malformed', async () => {
    const file = fresh();
    await refused(file, take(file, ['--recipient', 'age1wrong']), /“age1wrong” is no recipient of age/);
  });

  it('that the database is away', async () => {
    const file = fresh();
    await refused(file, take(file, [], filled, { POSTGRES_HOST: '127.0.0.1', POSTGRES_PORT: '1' }), /The database cannot be reached/);
  });

  it('that the database has no tables', async () => {
    const file = fresh();
    await refused(file, take(file, [], empty), /no tables of this service/);
  });

  it('that the data folder has no database, and creates none', async () => {
    // The account of PostgreSQL could create one.
    await chmod(folder, 0o755);
    const elsewhere = join(folder, 'elsewhere');
    const file = fresh();
    await refused(file, run('backup', [file], folder, { Service_DataPath: elsewhere }), `There is no database in ${elsewhere}`);
    await expect(stat(elsewhere)).rejects.toThrow(/ENOENT/);
  });

  it('that the command line is wrong', async () => {
    expect(await run('backup', [], folder, configured(filled, data))).toMatchObject({
      code: 2,
      output: expect.stringContaining('Usage: npm run backup'),
    });
    expect(await restore(['--unknown', backup])).toMatchObject({ code: 2, output: expect.stringContaining('Usage: npm run restore') });
  });

  it('that the disk has too little space, before it writes', async (context) => {
    await withSmallDisk(folder, 1, context, async (disk) => {
      const file = join(disk, 'backup');
      expect(await take(file)).toMatchObject({ code: 1, output: expect.stringMatching(/has 1\.0 MiB free, and the backup may need/) });
      expect(await readdir(disk)).toEqual([]);
    });
  });

  it('that the disk became full while it wrote', async () => {
    const file = fresh();
    const program = join(await builtProject(), 'dist/service/backup.js');
    // The shell ignores the signal that would end the program, so that its writes fail as on a full disk.
    const command = ['/bin/sh', '-c', `trap '' XFSZ; ulimit -f 400; exec "$0" "$@"`, process.execPath, program, file];
    const limited = Program.start('backup', command, { cwd: folder, env: { ...plainEnvironment(), ...configured(filled, data) } });
    const { code } = await limited.untilEnd();
    await refused(file, Promise.resolve({ code, output: limited.output }), /The backup could not be written to .*EFBIG/);
  });
});

describe('a restore is refused before it writes anything, and names what is wrong:', () => {
  const refused = async (args: readonly string[], sentence: RegExp): Promise<void> => {
    expect(await restore(args)).toMatchObject({ code: 1, output: expect.stringMatching(sentence) });
    expect(await tablesOf(empty)).toEqual([]);
  };

  it('a file that is cut off', async () => {
    const whole = await readFile(backup);
    for (const share of [0.001, 0.2, 0.6, 0.98]) {
      const file = fresh();
      await writeFile(file, whole.subarray(0, Math.floor(whole.length * share)));
      await refused([file], /is cut off or damaged, at .*: unexpected end of file/);
    }
  });

  it('a byte that was changed', async () => {
    const whole = await readFile(backup);
    for (const share of [0.1, 0.4, 0.7, 0.95]) {
      const file = fresh();
      const changed = Buffer.from(whole);
      changed[Math.floor(whole.length * share)] ^= 0x10;
      await writeFile(file, changed);
      await refused(
        [file],
        /is cut off or damaged, at (tables\/|files\/|manifest\.json)|is damaged: the (table|file) \S+ differs|it has the member/,
      );
    }
  });

  it.each([
    [
      'a table with another row',
      'tables/users/',
      (text: string) => text.replace('user@1.example', 'user@9.example'),
      /is damaged: the table users differs from the manifest/,
    ],
    [
      'a newer release',
      'header.json',
      (text: string) => text.replace(/"release":"[^"]+"/, '"release":"99.0.0"'),
      /Release 99\.0\.0 of this service made the backup/,
    ],
    [
      'a newer schema',
      'manifest.json',
      (text: string) => text.replace('"migrations":[', '"migrations":["AddFuture9999999999999",'),
      /with the migrations AddFuture9999999999999/,
    ],
    ['a file outside of the data folder', 'files/downloads/empty.txt', null, /it has the member files\/downloads\/\.\.\/\.\.\/escaped/],
    ['a table that is missing', 'tables/tags/', null, /is damaged: the table tags differs/],
  ] as const)('%s', async (what, member, change, sentence) => {
    const file = fresh();
    await writeFile(file, await changedArchive(backup, member, change, what.includes('outside') ? 'files/downloads/../../escaped' : null));
    await refused([file], sentence);
  });

  it('no backup at all, and a file that is not there', async () => {
    const file = fresh();
    await writeFile(file, 'SELECT 1;');
    await refused([file], /is no backup of this service/);
    await refused([join(folder, 'missing')], /missing cannot be read/);
  });

  it('a database that is not empty, which stays as it is', async () => {
    await query(empty, 'CREATE TABLE notes (n int)');
    expect(await restore([backup])).toMatchObject({ code: 1, output: expect.stringContaining('The database is not empty: it has notes.') });
    expect(await tablesOf(empty)).toEqual(['notes']);
  });

  it('a database that a service uses', async () => {
    const client = new pg.Client(empty.connection);
    await client.connect();
    await client.query('SELECT pg_advisory_lock($1)', [AdvisoryLock.Service]);
    await refused([backup], /A process of the service, or another restore, uses the database/);
    await client.end();
  });

  it('a file in the data folder that differs from the one in the backup', async () => {
    const place = join(folder, 'other-files');
    await mkdir(join(place, 'downloads'), { recursive: true });
    await writeFile(join(place, 'downloads', 'empty.txt'), 'not empty');
    const { code, output } = await restore([backup], empty, place);
    expect({ code, output }).toMatchObject({ code: 1, output: expect.stringContaining('empty.txt differs from the file in the backup') });
    expect(await tablesOf(empty)).toEqual([]);
    expect(await readdir(join(place, 'downloads'))).toEqual(['empty.txt']);
  });
});

describe('a signal', () => {
  it('ends a restore, which leaves the database empty', async () => {
    const others = new pg.Client(empty.connection);
    await others.connect();
    try {
      // The restore waits for the name of its table.
      await others.query('BEGIN; CREATE TABLE users (n int)');
      const program = await launch('restore', [backup], folder, configured(empty, join(folder, 'stopped-restore')));
      await eventually('it waits at the database', async () => {
        const waiting = await query(
          empty,
          'SELECT FROM pg_stat_activity WHERE datname = current_database() AND cardinality(pg_blocking_pids(pid)) > 0',
        );
        return waiting.length > 0;
      });
      program.signal('SIGINT');
      await others.query('ROLLBACK');
      expect(await program.untilEnd()).toMatchObject({ code: 130 });
      expect(program.output).toContain('Stopped before the end. Nothing was changed.');
      expect(await tablesOf(empty)).toEqual([]);
    } finally {
      await others.end();
    }
  });
});

describe('ten kills', () => {
  it('of a backup leave the old files, and no half one with a name', async () => {
    const own = join(folder, 'killed');
    await mkdir(own);
    await take(join(own, 'old'));
    for (let at = 0; at < 10; at += 1) {
      const program = await launch('backup', [join(own, 'new')], folder, configured(filled, data));
      await eventually('it has begun to write', async () => !program.isRunning || (await readdir(own)).length > 1);
      program.signal('SIGKILL');
      await program.untilEnd();
      const names = (await readdir(own)).filter((name) => !name.endsWith('.unfinished'));
      for (const name of names) expect(await restore(['--verify', join(own, name)])).toMatchObject({ code: 0 });
      await rm(join(own, 'new'), { force: true });
    }
    expect(await take(join(own, 'new'))).toMatchObject({ code: 0 });
    expect((await readdir(own)).sort()).toEqual(['new', 'old']);
  });

  it('of a restore leave the database empty or whole', async () => {
    const place = join(folder, 'killed-restore');
    let whole = 0;
    for (let at = 0; at < 10; at += 1) {
      const program = await launch('restore', [backup], folder, configured(empty, place));
      await eventually('it works at the database', async () => !program.isRunning || (await isRestoring(empty)));
      // Each time a little later: within the tables, at the end of the transaction, after it.
      for (let turn = 0; turn < at * 4 && program.isRunning; turn += 1) await query(empty, 'SELECT 1');
      program.signal('SIGKILL');
      await program.untilEnd();
      await eventually('its connections have ended', async () => !(await isConnected(empty)));
      const tables = await tablesOf(empty);
      if (tables.length === 0) continue;
      whole += 1;
      await upgrade(empty);
      expect(await contentsOf(empty)).toEqual(contents);
      expect(await readdir(join(place, 'downloads'))).toContain('empty.txt');
      await query(empty, 'DROP SCHEMA public CASCADE');
      await query(empty, 'CREATE SCHEMA public');
    }
    expect(whole).toBeLessThan(10);
    expect(await restore([backup], empty, place)).toMatchObject({ code: 0 });
    expect(await contentsOf(empty)).toEqual(contents);
  });
});
