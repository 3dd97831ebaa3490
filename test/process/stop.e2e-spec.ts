import { beforeAll, describe, expect, type TestContext } from 'vitest';
import { HttpTransportType, HubConnectionBuilder, LogLevel } from '@microsoft/signalr';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { Client } from 'pg';

import type { Program } from '../../demo/program.js';
import { createTestDatabase, type TestDatabase } from '../support/brokers/postgres.js';
import { enrol, ReportingDevice } from '../support/devices/reporting-device.js';
import { eventually } from '../support/eventually.js';
import { DatabaseProxy } from '../support/stand-ins/database-proxy.js';
import { builtProject, isAlive, onDatabase, onMachine, type Machine } from '../support/processes/service-process.js';

/** Expects a graceful end after a signal. */
function expectOrderlyEnd(end: Awaited<ReturnType<Program['untilEnd']>>): void {
  expect(end).toEqual({ code: 0, signal: null });
}

/** Finds those that wait for a table of the database. */
const WAITED_FOR = `SELECT 1 FROM pg_locks WHERE NOT granted AND relation IS NOT NULL
                    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;

const it = onMachine.extend('database', async ({ onTestFinished }) => {
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  return database;
});

describe.concurrent('a service that is asked to stop', () => {
  // Here, so that no test's own time limit holds the build.
  beforeAll(builtProject);

  /** The rows of a query in the service's database. */
  async function rows(database: TestDatabase, query: string): Promise<unknown[]> {
    const client = new Client(database.connection);
    await client.connect();
    try {
      return (await client.query<Record<string, unknown>>(query)).rows;
    } finally {
      await client.end();
    }
  }

  /** Begins to create a tenant. The service has read the headers of the request and waits for the body. */
  async function beginRequest(machine: Machine, url: string, body: string): Promise<Socket> {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    machine.alsoStop({ stop: async () => socket.destroy() });
    // A connection that is cut off may be reset, which does not fail the test.
    socket.on('error', () => undefined);
    const head = ['POST /api/v1/tenants HTTP/1.1', `host: ${hostname}`, `x-api-key: ${machine.account.key}`];
    const length = Buffer.byteLength(body);
    socket.write([...head, 'content-type: application/json', `content-length: ${length}`, 'expect: 100-continue', '', ''].join('\r\n'));
    const [answer] = (await once(socket, 'data')) as [Buffer];
    expect(answer.toString()).toContain('100 Continue');
    return socket;
  }

  async function untilClosedToNewRequests(url: string): Promise<void> {
    await eventually('new requests are refused', () =>
      fetch(`${url}/alive`, { headers: { connection: 'close' } }).then(
        async (response) => {
          await response.body?.cancel();
          return false;
        },
        () => true,
      ),
    );
  }

  it('stops while agents and viewers are connected, and marks the devices offline', async ({ machine, database }) => {
    const { program, url } = await machine.start(onDatabase(database));
    const enrolment = await enrol(machine.client({ url }));
    const closed = new Set<string>();
    for (const name of ['first', 'second']) {
      const device = await ReportingDevice.register(url, enrolment);
      await device.connect(url, () => closed.add(name));
      await device.reportAs(name);
    }
    const viewer = new HubConnectionBuilder()
      .withUrl(`${url}/hubs/viewer`, { transport: HttpTransportType.WebSockets, headers: { 'x-api-key': machine.account.key } })
      .configureLogging(LogLevel.None)
      .build();
    viewer.onclose(() => closed.add('viewer'));
    await viewer.start();
    expect(await rows(database, 'select name from devices where is_online order by name')).toEqual([{ name: 'first' }, { name: 'second' }]);

    program.signal('SIGTERM');

    expectOrderlyEnd(await program.untilEnd());
    await eventually('everyone notices', () => closed.size === 3);
    expect(await rows(database, `select name from devices where is_online or connection_id <> '' or node_id is not null`)).toEqual([]);
  });

  it('lets a running request finish, and accepts no new one', async ({ machine, database }) => {
    const { program, url } = await machine.start(onDatabase(database));
    const body = JSON.stringify({ name: 'Created while stopping' });
    const socket = await beginRequest(machine, url, body);

    program.signal('SIGTERM');
    await untilClosedToNewRequests(url);
    socket.write(body);

    const [answer] = (await once(socket, 'data')) as [Buffer];
    expect(answer.toString()).toContain('201 Created');
    expectOrderlyEnd(await program.untilEnd());
    expect(await rows(database, 'select name from tenants')).toEqual([{ name: 'Created while stopping' }]);
  });

  it('does not wait forever for a client that never finishes', async ({ machine, database }) => {
    const { program, url } = await machine.start(onDatabase(database));
    await beginRequest(machine, url, '{}');

    program.signal('SIGTERM');

    expectOrderlyEnd(await program.untilEnd());
  });

  it('ends at once when it is told to a second time', async ({ machine, database }) => {
    const { program, url } = await machine.start(onDatabase(database));
    await beginRequest(machine, url, '{}');
    program.signal('SIGTERM');
    await untilClosedToNewRequests(url);
    expect(program.isRunning).toBe(true);

    program.signal('SIGTERM');

    expect(await program.untilEnd()).toMatchObject({ code: 143 });
  });

  it('does not wait forever for a database that is silent', async ({ machine, database }) => {
    const proxy = machine.alsoStop(await DatabaseProxy.start(database.connection));
    const service = await machine.start(onDatabase({ connection: { ...database.connection, host: '127.0.0.1', port: proxy.port } }));
    proxy.silence('');
    service.program.signal('SIGTERM');
    expect((await service.program.untilEnd(120_000)).code).toBe(1);
    expect(service.program.output).toContain('The service has not stopped within 37 s, and ends now.');
  });

  it('says that it stops before it does, where others can take over', async ({ machine, database }) => {
    const env = { ...onDatabase(database), DEVICE_MANAGEMENT_TESTS_SHARE_DATABASE: 'yes' };
    const { program, url } = await machine.start(env);
    const ready = async (): Promise<unknown> => ((await (await fetch(`${url}/health/ready`)).json()) as { state: string }).state;
    expect(await ready()).toBe('Running');

    program.signal('SIGTERM');

    await eventually('it drains', async () => (await ready()) === 'Draining');
    expect((await fetch(`${url}/alive`)).status).toBe(200);
    // Its answer says so a moment before its row.
    const isStored = async (): Promise<boolean> => (await rows(database, `select from nodes where state = 'draining'`)).length === 1;
    await eventually('others can read it', isStored);
    expectOrderlyEnd(await program.untilEnd());
    expect(await rows(database, 'select id from nodes')).toEqual([]);
  });

  /** A start of the service that waits for a table of its database, and the function that lets it go on. */
  async function startWaitingFor(
    table: string,
    {
      machine,
      database,
      onTestFinished,
    }: Pick<TestContext, 'onTestFinished'> & { readonly machine: Machine; readonly database: TestDatabase },
  ): Promise<[Program, () => Promise<void>]> {
    const holder = new Client(database.connection);
    await holder.connect();
    onTestFinished(() => holder.end());
    await holder.query(`BEGIN; LOCK TABLE ${table}`);
    const program = machine.launch(onDatabase(database));
    await eventually('the start waits for the table', async () => (await rows(database, WAITED_FOR)).length > 0);
    return [program, async () => void (await holder.query('COMMIT'))];
  }

  /** Expects that a process ends with a code before it has listened, and leaves no node. */
  async function expectEndOfStart(program: Program, wanted: number, database: TestDatabase): Promise<void> {
    expect(await program.untilEnd(), program.output).toEqual({ code: wanted, signal: null });
    expect(program.output).not.toContain('Listening on');
    expect(await rows(database, 'select id from nodes')).toEqual([]);
  }

  it('ends at once while its start waits for the first account', async ({ machine, database, onTestFinished }) => {
    const [program] = await startWaitingFor('service_accounts', { machine, database, onTestFinished });
    program.signal('SIGTERM');
    await expectEndOfStart(program, 143, database);
  });

  it('leaves the list of nodes that it was about to enter', async ({ machine, database, onTestFinished }) => {
    const [program, goOn] = await startWaitingFor('nodes', { machine, database, onTestFinished });
    program.signal('SIGTERM');
    await goOn();
    await expectEndOfStart(program, 0, database);
  });

  it('ends at once when it is told to a second time during its start', async ({ machine, database, onTestFinished }) => {
    const [program] = await startWaitingFor('nodes', { machine, database, onTestFinished });
    program.signal('SIGTERM');
    program.signal('SIGINT');
    // The two may come in either order.
    expect([130, 143]).toContain((await program.untilEnd()).code);
  });

  it('stops its PostgreSQL, also during the start', async ({ machine }) => {
    const program = machine.launch();
    let postgres = 0;
    await eventually('PostgreSQL begins to start', async () => {
      postgres = await machine.postgresPid().catch(() => 0);
      return postgres > 0;
    });

    program.signal('SIGTERM');

    const { code, signal } = await program.untilEnd();
    // When it was faster than the signal, it stops in order.
    const wanted = program.output.includes('Listening on') ? ['0'] : ['0', '143', 'SIGTERM'];
    expect(wanted).toContain(signal ?? String(code));
    await eventually('PostgreSQL is gone', async () => !(await isAlive(postgres)));
  });

  it('stops its PostgreSQL, also on Ctrl-C', async ({ machine }) => {
    const { program } = await machine.start();
    await machine.postgresPid();

    program.signal('SIGINT');

    expectOrderlyEnd(await program.untilEnd());
    await expect(machine.postgresPid()).rejects.toThrow('ENOENT');
    // PostgreSQL waits some seconds for clients that are left, and then disconnects them.
    expect(await readFile(join(machine.dataPath, 'postgres.log'), 'utf8')).not.toContain('terminating connection');
  });
});
