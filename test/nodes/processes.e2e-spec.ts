import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { Client } from 'pg';

import { agentClient, hubOk, viewerHub, type HubResult } from '#libs/contracts';

import type { Service } from '../../demo/service.js';
import { TestViewer } from '../hubs/viewer-client.js';
import type { Stoppable } from '../support/application/app.js';
import { createTestDatabase, type TestDatabase } from '../support/brokers/postgres.js';
import { FakeAgent, registerKeyedDevice, type KeyedDevice } from '../support/devices/agents.js';
import { enrol, type Enrolment } from '../support/devices/reporting-device.js';
import { eventually } from '../support/eventually.js';
import { Machine, onDatabase } from '../support/processes/service-process.js';
import { type NatsServer, noNats } from './support/nats-server.js';
import { nodeOptions, startNats } from './support/node-options.js';

/*
 * Nodes as processes, which are killed, stopped for a while, and started again. Nobody waits long for a node that does not answer, nothing is
 * done late or twice, and what a node leaves behind goes.
 */

/** State of a stopped process, in the kernel's table. */
const STOPPED = /\) T /;
/** Time after which a killed node is judged gone, with room for a busy machine, in milliseconds. */
const GONE_IN_MS = 120_000;

describe.skipIf(noNats !== undefined)('nodes as processes', () => {
  let machine: Machine;
  let database: TestDatabase;
  let nats: NatsServer;
  let enrolment: Enrolment;
  let first: Service;
  const stopping: Stoppable[] = [];

  beforeAll(async () => {
    const started = [Machine.open(), createTestDatabase(), startNats()] as const;
    [machine, database, nats] = await Promise.all(started);
  });

  // Apart, because the first hook of a run may wait for the build.
  beforeAll(async () => {
    first = await startNode();
    enrolment = await enrol(machine.client(first));
  });

  afterEach(async () => {
    for (const started of stopping.splice(0).reverse()) await started.stop();
  });

  afterAll(async () => {
    await machine.close();
    await nats.kill();
    await database.drop();
  });

  function keep<T extends Stoppable>(started: T): T {
    stopping.push(started);
    return started;
  }

  function environment(): Record<string, string> {
    return {
      ...onDatabase(database),
      Service_DataPath: join(machine.folder, randomUUID()),
      ...nodeOptions(nats),
    };
  }

  const startNode = (): Promise<Service> => machine.start(environment());

  async function rows<T>(sql: string, parameters: readonly unknown[] = []): Promise<T[]> {
    const client = new Client(database.connection);
    await client.connect();
    try {
      return (await client.query<never>(sql, [...parameters])).rows;
    } finally {
      await client.end();
    }
  }

  const register = (): Promise<KeyedDevice> => registerKeyedDevice(machine.client(first), enrolment);

  /** An agent that opens terminals and notes their inputs. */
  async function online(node: Service, device: KeyedDevice, inputs: string[] = []): Promise<FakeAgent> {
    const agent = keep(await FakeAgent.connect(node, device));
    agent.on(agentClient.CreateTerminalSession, () => hubOk());
    agent.on(agentClient.ReceiveTerminalInput, ({ input }) => {
      inputs.push(input);
      return hubOk();
    });
    expect(await agent.heartbeat()).toMatchObject({ isSuccess: true });
    return agent;
  }

  const viewerAt = async (node: Service): Promise<TestViewer> => keep(await TestViewer.connect(node, { 'x-api-key': machine.account.key }));

  const open = (viewer: TestViewer, { id: deviceId }: KeyedDevice, terminalId: string = randomUUID()): Promise<HubResult> =>
    viewer.call(viewerHub.CreateTerminalSession2, { deviceId, terminalId });

  const type = (viewer: TestViewer, { id: deviceId }: KeyedDevice, terminalId: string, input: string): Promise<HubResult> =>
    viewer.call(viewerHub.SendTerminalInput2, { deviceId, input: { terminalId, input, viewerConnectionId: null } });

  async function freeze({ program }: Service): Promise<void> {
    program.signal('SIGSTOP');
    await eventually('the node stands still', async () => STOPPED.test(await readFile(`/proc/${program.pid}/stat`, 'utf8')));
  }

  it('go on without one that is killed: its devices fail at once, are offline once it is judged gone, and may come back elsewhere', async () => {
    const second = await startNode();
    const [staying, moving] = [await register(), await register()];
    await online(second, staying);
    await online(second, moving);
    const viewer = await viewerAt(first);
    await viewer.call(viewerHub.SubscribeToDeviceHeartbeats2, { deviceIds: [staying.id] });
    expect(await open(viewer, staying)).toMatchObject({ isSuccess: true });

    await second.program.kill();
    await eventually('a call fails', async () => !(await open(viewer, staying)).isSuccess);
    await online(first, moving);
    expect(await open(viewer, moving)).toMatchObject({ isSuccess: true });

    await eventually(
      'its devices are shown as offline',
      () => viewer.updates.some(({ id, isOnline }) => id === staying.id && !isOnline),
      GONE_IN_MS,
    );
    expect(await rows('SELECT id FROM nodes')).toHaveLength(1);
    expect(await rows('SELECT id FROM devices WHERE is_online')).toEqual([{ id: moving.id }]);
  });

  it('do not wait for one that stands still, and it does nothing late when it goes on', async () => {
    const second = await startNode();
    const device = await register();
    const inputs: string[] = [];
    await online(second, device, inputs);
    const viewer = await viewerAt(first);
    const terminalId = randomUUID();
    await open(viewer, device, terminalId);
    expect(await type(viewer, device, terminalId, 'before')).toMatchObject({ isSuccess: true });

    await freeze(second);
    const during = await type(viewer, device, terminalId, 'while it stands still');
    expect(during.isSuccess).toBe(false);
    // It is known to be silent by now: nothing is sent.
    expect((await type(viewer, device, terminalId, 'known to stand still')).isSuccess).toBe(false);
    const frozenUntil = performance.now() + 2_000;
    await eventually('all calls of before are too old', () => performance.now() > frozenUntil);
    second.program.signal('SIGCONT');
    await eventually('the device is reached again', async () => (await type(viewer, device, terminalId, 'after')).isSuccess);
    expect(inputs.filter((input) => input !== 'after')).toEqual(['before']);
    await second.program.stop();
  });

  it('end in order: a node that stops leaves nothing behind', async () => {
    const second = await startNode();
    const device = await register();
    await online(second, device);
    const viewer = await viewerAt(second);
    await open(viewer, device);
    expect(await rows('SELECT FROM viewer_places')).toHaveLength(1);
    await second.program.stop();
    expect(await rows('SELECT FROM nodes')).toHaveLength(1);
    expect(await rows('SELECT FROM viewer_places')).toHaveLength(0);
    expect(await rows('SELECT FROM devices WHERE is_online AND id = $1', [device.id])).toHaveLength(0);
  });

  it('do not start with a password that NATS does not know: the sentence names the option', async () => {
    const program = machine.launch({ ...environment(), Service_Nodes__NatsPassword: 'another-password' });
    expect((await program.untilEnd()).code).toBe(1);
    expect(program.output).toContain('Service_Nodes__NatsUser: NATS does not know the key, or the user and the password.');
    expect(program.output).not.toContain('another-password');
  });

  it('start while NATS is away, are ready but degraded, and reach each other once it is there', async () => {
    await nats.kill();
    const second = await startNode();
    const readiness = async (): Promise<object> => (await (await fetch(new URL('/health/ready', second.url))).json()) as object;
    expect(await readiness()).toMatchObject({ status: 'Degraded', nats: 'Away' });
    await nats.startAgain();
    await eventually('it reaches the others', async () => ((await readiness()) as { status: string }).status === 'Ready', GONE_IN_MS);
    const device = await register();
    await online(second, device);
    expect(await open(await viewerAt(first), device)).toMatchObject({ isSuccess: true });
    await second.program.stop();
  });

  it('do not start when the database has no connections for one more', async () => {
    await rows(`
      INSERT INTO nodes (id, version, started_at, last_seen_at)
      SELECT 'other-' || n, '0', now(), now() + interval '1 hour' FROM generate_series(1, 10) AS n`);
    try {
      const program = machine.launch(environment());
      expect((await program.untilEnd()).code).toBe(1);
      expect(program.output).toMatch(/max_connections of PostgreSQL: \d+ connections are allowed, and 1[12] nodes need \d+\./);
    } finally {
      await rows(`DELETE FROM nodes WHERE id LIKE 'other-%'`);
    }
  });

  it('are no nodes without the option: a second process is refused', async () => {
    const program = machine.launch({
      ...onDatabase(database),
      Service_DataPath: join(machine.folder, 'alone'),
      DEVICE_MANAGEMENT_TESTS_SHARE_DATABASE: '',
    });
    expect((await program.untilEnd()).code).toBe(1);
    expect(program.output).toContain('Several at a time need Service_Nodes__Nats on all of them.');
  });
});
