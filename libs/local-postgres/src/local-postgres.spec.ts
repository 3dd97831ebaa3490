import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, chmod, chown, cp, mkdir, mkdtemp, readFile, readdir, realpath, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Client, Pool } from 'pg';
import { installedPackageDirectory } from './binaries.js';
import { LocalPostgres, LocalPostgresError, type LocalPostgresConnection, type LocalPostgresOptions, type ServerLoss } from './index.js';

const isRoot = process.getuid?.() === 0;
const repository = fileURLToPath(new URL('../../../', import.meta.url));

const silent = { log: (): void => undefined, warn: (): void => undefined };

/** A folder with a cluster that was started and stopped once. */
let prepared: string;
/** A copy of the package with the binaries in a folder that every account can enter. */
let reachablePackage: string;
let folder: string;
let dataDirectory: string;
const cleanUps: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  prepared = await mkdtemp(join(tmpdir(), 'local-postgres-'));
  await chmod(prepared, 0o755);
  await (await LocalPostgres.start({ dataDirectory: prepared, log: silent })).stop();
  const packages = await mkdtemp(join(tmpdir(), 'local-postgres-'));
  await chmod(packages, 0o755);
  reachablePackage = join(packages, 'package');
  await cp(installedPackageDirectory(), reachablePackage, { recursive: true, verbatimSymlinks: true });
});

afterAll(async () => {
  await rm(prepared, { recursive: true });
  await rm(dirname(reachablePackage), { recursive: true });
});

beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'local-postgres-')));
  await chmod(folder, 0o755);
  dataDirectory = join(folder, 'data');
});

afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
  await rm(folder, { recursive: true });
});

async function start(options: Partial<LocalPostgresOptions> = {}): Promise<LocalPostgres> {
  const server = await LocalPostgres.start({ dataDirectory, log: silent, ...options });
  cleanUps.push(() => server.stop());
  return server;
}

/** Copies a cluster into the data folder, which is faster than creating one. */
async function givenCluster(): Promise<void> {
  await promisify(execFile)('cp', ['-a', prepared, dataDirectory]);
}

async function query(connection: LocalPostgresConnection, text: string): Promise<unknown[]> {
  const client = new Client(connection);
  // When the server drops the connection, the query fails. The client reports the same error again, which would end the process.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end();
  }
}

async function until<T>(what: string, attempt: () => Promise<T | undefined>): Promise<T> {
  const deadline = Date.now() + 60_000;
  for (;;) {
    const result = await attempt().catch(() => undefined);
    if (result !== undefined) return result;
    if (Date.now() > deadline) throw new Error(`waited too long until ${what}`);
    await delay(20);
  }
}

async function isRunning(pid: number): Promise<boolean> {
  // A process that has ended, and that its parent has not waited for, has an empty command line.
  return (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')) !== '';
}

async function isServer(pid: number): Promise<boolean> {
  return (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).includes(dataDirectory);
}

interface OwnerEvent {
  readonly event: string;
  readonly connection: LocalPostgresConnection;
  readonly adopted: boolean;
  readonly pid: number;
  readonly message: string;
  readonly notices: string[];
}

/** Another service process, which owns the server of the data folder. */
class OwnerProcess {
  private readonly lines: AsyncIterator<string>;
  private serverPid: number | undefined;

  private constructor(readonly child: ChildProcess & { stdout: NonNullable<ChildProcess['stdout']> }) {
    this.lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  }

  static start(uid?: number, packageDirectory: string = reachablePackage): OwnerProcess {
    const program = [
      join(repository, 'test/support/processes/run-typescript.mjs'),
      join(repository, 'test/support/processes/local-postgres-owner.ts'),
    ];
    const args = [dataDirectory, packageDirectory, ...(uid === undefined ? [] : [String(uid)])];
    const child = spawn(process.execPath, ['--import', ...program, ...args], { cwd: '/', stdio: ['pipe', 'pipe', 'inherit'] });
    const owner = new OwnerProcess(child);
    cleanUps.push(() => owner.killWithServer());
    return owner;
  }

  async event(): Promise<OwnerEvent> {
    const { value, done } = await this.lines.next();
    if (done) throw new Error('the owner process ended and wrote nothing');
    const event: OwnerEvent = JSON.parse(value);
    if (event.event === 'started') this.serverPid = event.pid;
    return event;
  }

  tell(command: 'stop' | 'exit'): void {
    this.child.stdin?.write(`${command}\n`);
  }

  async kill(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const ended = once(this.child, 'exit');
    this.child.kill('SIGKILL');
    await ended;
  }

  /** Kills the owner, and then the server that it leaves behind. */
  async killWithServer(): Promise<void> {
    await this.kill();
    const pid = this.serverPid;
    if (pid === undefined || !(await isServer(pid))) return;
    process.kill(pid, 'SIGKILL');
    await until('the server ends', async () => ((await isRunning(pid)) ? undefined : true));
  }
}

describe('start and stop', () => {
  it('creates the cluster and the database at the first start, and keeps them at the next', async () => {
    const first = await start({ database: 'devices', packageDirectory: reachablePackage });
    expect(first).toMatchObject({ firstStart: true, adopted: false, notices: [] });
    expect(first.connection).toEqual({ host: join(dataDirectory, 'run'), port: 5432, user: 'service', database: 'devices' });
    await query(first.connection, 'create table kept (value int); insert into kept values (7)');
    await first.stop();
    expect(await isRunning(first.pid)).toBe(false);

    const second = await start({ database: 'devices' });
    expect(second).toMatchObject({ firstStart: false, adopted: false });
    expect(await query(second.connection, 'select value from kept')).toEqual([{ value: 7 }]);
  });

  it('lets the service own its database without being a superuser, also objects that an earlier version has made as one', async () => {
    await givenCluster();
    const earlier = await start();
    await query(
      earlier.superuserConnection,
      `create table counted (id serial primary key);
       create type mood as enum ('fine');
       create function one() returns int language sql as 'select 1';
       create extension pg_trgm;
       alter database app owner to app`,
    );
    await earlier.stop();

    const { connection } = await start();
    const who = `select current_user as role, rolsuper or rolcreaterole or rolcreatedb or rolreplication or rolbypassrls as is_mighty
      from pg_roles where rolname = current_user`;
    expect(await query(connection, who)).toEqual([{ role: 'service', is_mighty: false }]);
    await query(
      connection,
      `alter table counted add column note text; insert into counted default values; alter type mood add value 'better';
       drop function one(); drop extension if exists citext; create table made (value int)`,
    );
    expect(await query(connection, 'select similarity($$pc-1$$, $$pc-1$$) as same')).toEqual([{ same: 1 }]);
    await expect(query(connection, 'select pg_read_file($$PG_VERSION$$)')).rejects.toThrow(/permission denied/);
    await expect(query(connection, 'create role other')).rejects.toThrow(/permission denied/);
  });

  it('creates the extension that searches need at its first start', async () => {
    await givenCluster();
    const { connection } = await start();
    await query(connection, 'create extension pg_trgm');
  });

  it('listens on its socket only, commits durably, and sorts in the same way on every system', async () => {
    await givenCluster();
    const { connection } = await start({ maxConnections: 33 });
    const settings = `select name, setting from pg_settings
      where name in ('listen_addresses', 'max_connections', 'synchronous_commit', 'fsync') order by name`;
    expect(await query(connection, settings)).toEqual([
      { name: 'fsync', setting: 'on' },
      { name: 'listen_addresses', setting: '' },
      { name: 'max_connections', setting: '33' },
      { name: 'synchronous_commit', setting: 'on' },
    ]);
    expect(await query(connection, `select upper('ä') as upper, 'Z' < 'a' as bytewise`)).toEqual([{ upper: 'Ä', bytewise: true }]);
    expect((await stat(join(dataDirectory, 'run'))).mode & 0o777).toBe(0o700);
  });

  it('disconnects clients that do not leave, and can be stopped twice', async () => {
    await givenCluster();
    const server = await start();
    const client = new Client(server.connection);
    client.on('error', () => undefined);
    await client.connect();
    const ended = new Promise<void>((resolve) => {
      client.once('end', () => resolve());
    });
    const begin = Date.now();
    await Promise.all([server.stop(), server.stop()]);
    await ended;
    expect(Date.now() - begin).toBeGreaterThanOrEqual(1_900);
    expect(await isRunning(server.pid)).toBe(false);
  });

  it('creates one cluster when two services start at the same time, and one of them becomes its owner', async () => {
    const outcomes = await Promise.allSettled([start(), start()]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const refused = outcomes.find((outcome) => outcome.status === 'rejected');
    expect(String(refused?.reason)).toMatch(/Another service process \(pid \d+\) is using the database/);
    const owner = outcomes.find((outcome) => outcome.status === 'fulfilled');
    expect(owner && (await query(owner.value.connection, 'select 1 as one'))).toEqual([{ one: 1 }]);
  });

  it('puts the socket into the temporary folder when the path of the data folder is too long', async () => {
    dataDirectory = join(folder, 'x'.repeat(100));
    await givenCluster();
    const server = await start();
    expect(dirname(server.connection.host)).toBe(tmpdir());
    cleanUps.unshift(() => rm(server.connection.host, { recursive: true }));
    expect(await query(server.connection, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  it('listens on a port with a password where there are no sockets', async () => {
    const first = await start({ transport: 'loopback' });
    const { password, ...open } = first.connection;
    expect(open.host).toBe('127.0.0.1');
    expect(password).toHaveLength(43);
    expect(await query(first.connection, 'select 1 as one')).toEqual([{ one: 1 }]);
    await expect(query({ ...open, password: 'guess' }, 'select 1')).rejects.toThrow(/password authentication failed/);

    const { pid } = first;
    process.kill(pid, 'SIGKILL');
    const rows = await until('the same port answers again', async () => {
      const answer = await query(first.connection, 'select 1 as one');
      return first.pid === pid ? undefined : answer;
    });
    expect(rows).toEqual([{ one: 1 }]);
  });
});

describe('sudden ends of service and server', () => {
  it('adopts the server that a killed service has left behind', async () => {
    await givenCluster();
    const killed = OwnerProcess.start();
    const { connection, pid } = await killed.event();
    await query(connection, 'create table kept (value int); insert into kept values (7)');
    await killed.kill();

    const adopting = await start();
    expect(adopting).toMatchObject({ adopted: true, firstStart: false, pid });
    expect(await query(adopting.connection, 'select value from kept')).toEqual([{ value: 7 }]);
    await adopting.stop();
    expect(await isRunning(pid)).toBe(false);
  });

  it('refuses a second service while the first one lives', async () => {
    await givenCluster();
    const first = OwnerProcess.start();
    const { connection, pid } = await first.event();
    await expect(start()).rejects.toThrow(`Another service process (pid ${first.child.pid}) is using the database in ${dataDirectory}/pg.`);
    expect(await query(connection, 'select 1 as one')).toEqual([{ one: 1 }]);

    first.tell('stop');
    expect((await first.event()).event).toBe('stopped');
    expect(await isRunning(pid)).toBe(false);
  });

  it('removes an unfinished cluster that is old, and leaves a new one, on which another start may be at work', async () => {
    await givenCluster();
    for (const name of ['pg.unfinished-old', 'pg.unfinished-new']) await mkdir(join(dataDirectory, name));
    const hourAgo = Date.now() / 1000 - 3600;
    await utimes(join(dataDirectory, 'pg.unfinished-old'), hourAgo, hourAgo);

    await start();

    const left = (await readdir(dataDirectory)).filter((name) => name.includes('unfinished'));
    expect(left).toEqual(['pg.unfinished-new']);
  });

  it('leaves no server behind when the service exits without stopping it', async () => {
    await givenCluster();
    const owner = OwnerProcess.start();
    const { pid } = await owner.event();
    owner.tell('exit');
    await until('the server ends', async () => ((await isRunning(pid)) ? undefined : true));
  });

  it('recovers committed data when both are killed, even when the old process id belongs to another process', async () => {
    await givenCluster();
    const killed = OwnerProcess.start();
    const { connection, pid } = await killed.event();
    await query(connection, 'create table kept (value int); insert into kept values (7)');
    await killed.kill();
    process.kill(pid, 'SIGKILL');
    await until('the server ends', async () => ((await isRunning(pid)) ? undefined : true));
    const pidFile = join(dataDirectory, 'pg', 'postmaster.pid');
    const text = await readFile(pidFile, 'utf8');
    await writeFile(pidFile, text.replace(/^\d+/, String(process.ppid)));

    const server = await start();
    expect(server.adopted).toBe(false);
    expect(await query(server.connection, 'select value from kept')).toEqual([{ value: 7 }]);
  });

  it('starts a killed server again in the same place, so that pools reconnect', async () => {
    await givenCluster();
    const losses: ServerLoss[] = [];
    const server = await start({ onExit: (loss) => losses.push(loss) });
    const { pid, connection } = server;
    const pool = new Pool({ ...connection, max: 1 });
    pool.on('error', () => undefined);
    cleanUps.push(() => pool.end());
    await pool.query('create table kept (value int); insert into kept values (7)');

    process.kill(pid, 'SIGKILL');
    const { rows } = await until('the pool answers again', async () => {
      const result = await pool.query('select value from kept');
      return server.pid === pid ? undefined : result;
    });
    expect(rows).toEqual([{ value: 7 }]);
    expect(losses).toEqual([{ reason: 'PostgreSQL went away', restarting: true }]);
  });

  it('owns the server again after one of its processes has crashed', async () => {
    await givenCluster();
    const losses: ServerLoss[] = [];
    const server = await start({ onExit: (loss) => losses.push(loss) });
    const client = new Client(server.connection);
    client.on('error', () => undefined);
    await client.connect();
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    process.kill(rows[0]?.pid ?? 0, 'SIGKILL');

    await until('the lock is held again', async () => {
      const locks = await query(server.connection, `select 1 from pg_locks where locktype = 'advisory' and granted`);
      return losses.length === 1 && locks.length === 1 ? true : undefined;
    });
  });

  it('gives up, and reports it once, when the server cannot be started again', async () => {
    await givenCluster();
    const losses: ServerLoss[] = [];
    const server = await start({ onExit: (loss) => losses.push(loss) });
    await writeFile(join(dataDirectory, 'pg', 'PG_VERSION'), '17\n');
    process.kill(server.pid, 'SIGKILL');
    await until('it gave up', async () => (losses.length === 2 ? true : undefined));
    expect(losses[1]).toEqual({ reason: expect.stringContaining('holds a database of PostgreSQL 17'), restarting: false });
  });

  it('gives up on a server that dies six times in a short time', async () => {
    await givenCluster();
    const losses: ServerLoss[] = [];
    const server = await start({ onExit: (loss) => losses.push(loss) });
    for (let round = 1; round <= 6; round++) {
      const { pid } = server;
      process.kill(pid, 'SIGKILL');
      await until(`loss ${round} is answered`, async () => (server.pid !== pid || losses.at(-1)?.restarting === false ? true : undefined));
    }
    expect(losses.map(({ restarting }) => restarting)).toEqual([true, true, true, true, true, false]);
  });
});

describe('reports to the operator', () => {
  it('refuses a cluster of another major version and leaves it as it is', async () => {
    await mkdir(join(dataDirectory, 'pg'), { recursive: true });
    await writeFile(join(dataDirectory, 'pg', 'PG_VERSION'), '16\n');
    const attempt = start();
    await expect(attempt).rejects.toThrow(LocalPostgresError);
    await expect(attempt).rejects.toThrow(/pg holds a database of PostgreSQL 16, but PostgreSQL 18 is bundled.*left as it is/);
  });

  it('refuses a folder that holds other files and leaves it as it is', async () => {
    await mkdir(join(dataDirectory, 'pg'), { recursive: true });
    await writeFile(join(dataDirectory, 'pg', 'notes.txt'), 'mine');
    await expect(start()).rejects.toThrow(/holds files but no PostgreSQL database/);
    await access(join(dataDirectory, 'pg', 'notes.txt'));
  });

  it('shows the last lines of the log when the server does not start', async () => {
    await givenCluster();
    await expect(start({ settings: { shared_buffers: 'plenty' } })).rejects.toThrow(
      /did not start in .*pg\. The last lines of .*postgres\.log:\n.*invalid value for parameter "shared_buffers": "plenty"/s,
    );
  });

  it('removes the lock of an old socket, but not the socket, which another start may have just created', async () => {
    await givenCluster();
    const socket = join(dataDirectory, 'run', '.s.PGSQL.5432');
    for (const path of [socket, `${socket}.lock`]) await writeFile(path, '');
    // This server fails before it creates its socket.
    await expect(start({ settings: { shared_buffers: 'plenty' } })).rejects.toThrow('did not start');
    expect(await readdir(join(dataDirectory, 'run'))).toEqual(['.s.PGSQL.5432']);
  });

  if (isRoot) {
    it('runs the server as another account, from a copy when that account cannot enter the checkout', async () => {
      await givenCluster();
      const packageDirectory = join(folder, 'checkout', 'package');
      await cp(installedPackageDirectory(), packageDirectory, { recursive: true, verbatimSymlinks: true });
      await chmod(join(folder, 'checkout'), 0o700);
      const server = await start({ packageDirectory });
      expect(server.notices).toEqual([expect.stringMatching(/cannot enter .*checkout.*runs from a copy in .*data\/postgresql-18\./)]);
      expect((await stat(`/proc/${server.pid}`)).uid).not.toBe(0);
    });

    it('opens a cluster that root has restored from a backup', async () => {
      await cp(join(prepared, 'pg'), join(dataDirectory, 'pg'), { recursive: true });
      expect((await stat(join(dataDirectory, 'pg', 'base'))).uid).toBe(0);
      const server = await start();
      expect(await query(server.connection, 'select 1 as one')).toEqual([{ one: 1 }]);
    });

    it('says that an account without a name cannot create the database', async () => {
      await mkdir(dataDirectory);
      await chown(dataDirectory, 12_345, 12_345);
      const { message } = await OwnerProcess.start(12_345).event();
      expect(message).toMatch(/The service runs with uid 12345, which has no entry in the passwd file/);
    });

    it('names the owner of the database when the service runs as another account', async () => {
      await givenCluster();
      await chown(dataDirectory, 65_534, 65_534);
      // Where there is no account `postgres`, the cluster that root has made belongs to `nobody`, which has this number.
      await chown(join(dataDirectory, 'pg'), 12_345, 12_345);
      const { message } = await OwnerProcess.start(65_534).event();
      expect(message).toMatch(
        /belongs to the account with uid 12345, but the service runs with uid 65534\. Run the service as that account, or .*chown -R 65534/,
      );
    });

    it('runs from a copy when library links are missing and an ordinary account cannot create them', async () => {
      const packageDirectory = join(folder, 'package');
      await cp(installedPackageDirectory(), packageDirectory, { recursive: true, verbatimSymlinks: true });
      await rm(join(packageDirectory, 'native', 'lib', 'libpq.so.5'));
      await mkdir(dataDirectory);
      await chown(dataDirectory, 65_534, 65_534);
      const { event, notices } = await OwnerProcess.start(65_534, packageDirectory).event();
      expect(event).toBe('started');
      expect(notices).toEqual([
        expect.stringMatching(/package lacks library links and cannot be written to; PostgreSQL runs from a copy in/),
      ]);
    });

    it('runs under an ordinary account', async () => {
      await mkdir(dataDirectory);
      await chown(dataDirectory, 65_534, 65_534);
      const owner = OwnerProcess.start(65_534);
      const { event, pid } = await owner.event();
      expect(event).toBe('started');
      expect((await stat(`/proc/${pid}`)).uid).toBe(65_534);
      owner.tell('stop');
      expect((await owner.event()).event).toBe('stopped');
    });
  }
});
