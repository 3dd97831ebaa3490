import { spawnSync } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import {
  HttpTransportType,
  HubConnectionBuilder,
  HubConnectionState,
  LogLevel,
  type HubConnection,
  type IRetryPolicy,
} from '@microsoft/signalr';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { viewerHub, type DeviceResponseDto, type HubMethod, type HubResult } from '#libs/contracts';

import { Program } from '../../demo/program.js';
import { plainEnvironment, type Service } from '../../demo/service.js';
import { VIEWER_HUB_PATH } from '../../src/platform/common/addresses/hub-paths.js';
import { createTestDatabase, type TestDatabase } from '../support/brokers/postgres.js';
import { enrol, type Enrolment } from '../support/devices/reporting-device.js';
import { beginDownload, bodyOf } from '../support/devices/running-agent.js';
import { eventually } from '../support/eventually.js';
import { Machine, onDatabase, portToKeep } from '../support/processes/service-process.js';
import { DatabaseProxy } from '../support/stand-ins/database-proxy.js';
import { type NatsServer, noNats } from './support/nats-server.js';
import { nodeOptions, startNats } from './support/node-options.js';

/* Nodes as processes behind the real HAProxy with the shipped file. */

const { WebSockets, ServerSentEvents, LongPolling } = HttpTransportType;
const FILE = fileURLToPath(new URL('../../deploy/proxies/haproxy-nodes.cfg', import.meta.url));
const NODES = 3;
const CONNECTIONS = 6;
const INPUTS = 10;
/** Size above the buffers between a device, two nodes, HAProxy and a client that does not read. */
const DOWNLOAD_BYTES = 64 * 1024 * 1024;
const noHaproxy = spawnSync('which', ['haproxy']).status === 0 ? undefined : 'haproxy is not installed';
const missing = noHaproxy ?? noNats;

/** Tries again after a second, as long as the test lasts. */
const AGAIN: IRetryPolicy = { nextRetryDelayInMilliseconds: () => 1_000 };

/** The shipped file with the ports of the test, without TLS, which test/process/proxies.e2e-spec.ts covers. */
function adapted(file: string, port: number, nodes: readonly Service[]): string {
  const parts: [string, string][] = [
    ['maxconn 50000', 'maxconn 200'],
    ['bind :443 ssl crt /etc/ssl/devices.pem alpn h2,http/1.1', `bind 127.0.0.1:${port}`],
    ['-i devices.example.org', '-i 127.0.0.1'],
    ...nodes.map(({ url }, index): [string, string] => [`node-${index + 1}:8080`, new URL(url).host]),
  ];
  return parts.reduce((text, [shipped, own]) => {
    if (!text.includes(shipped)) throw new Error(`haproxy-nodes.cfg has no "${shipped}".`);
    return text.replace(shipped, own);
  }, file);
}

describe.skipIf(missing !== undefined)(`HAProxy with the shipped file${missing === undefined ? '' : ` (skipped: ${missing})`}`, () => {
  let machine: Machine;
  let database: TestDatabase;
  let way: DatabaseProxy;
  let nats: NatsServer;
  let enrolment: Enrolment;
  let url: string;
  const nodes: Service[] = [];
  const connections: HubConnection[] = [];

  beforeAll(async () => {
    [machine, database, nats] = await Promise.all([Machine.open(), createTestDatabase(), startNats()]);
    way = await DatabaseProxy.start(database.connection);
  });

  // Apart, because the first hook of a run may wait for the build.
  beforeAll(async () => {
    while (nodes.length < NODES) nodes.push(await machine.start({ ...environment(), Service_Port: String(await portToKeep()) }));
    url = await startHaproxy();
    enrolment = await enrol(machine.client({ url }));
  });

  beforeEach((test) => machine.reportTo(test));

  afterEach(async () => {
    for (const connection of connections.splice(0)) await connection.stop();
  });

  afterAll(async () => {
    await machine.close();
    await nats.kill();
    await way.stop();
    await database.drop();
  });

  function environment(): Record<string, string> {
    return {
      ...onDatabase({ connection: { ...database.connection, host: '127.0.0.1', port: way.port } }),
      Service_DataPath: join(machine.folder, randomUUID()),
      Service_AppOptions__KnownProxies: '127.0.0.1',
      // The bytes of a download stay on the device until the client reads them.
      Service_AppOptions__DownloadSpoolSize: '0',
      Service_AppOptions__MaxFileTransferSize: '0',
      ...nodeOptions(nats),
      Service_Nodes__DrainSeconds: '60',
    };
  }

  async function startHaproxy(): Promise<string> {
    const port = await portToKeep();
    const config = join(machine.folder, 'haproxy.cfg');
    await writeFile(config, adapted(await readFile(FILE, 'utf8'), port, nodes));
    const options = { cwd: machine.folder, env: plainEnvironment(), inOwnGroup: true };
    const haproxy = Program.start('haproxy', ['haproxy', '-f', config], options);
    machine.alsoStop({ stop: () => haproxy.kill().then(() => undefined) });
    const front = `http://127.0.0.1:${port}`;
    await eventually('haproxy passes requests on', async () => {
      if (!haproxy.isRunning) throw new Error(haproxy.output);
      return (await fetch(`${front}/health`).catch(() => null))?.status === 200;
    });
    return front;
  }

  /** The device of an agent that runs as a program, connected through HAProxy. */
  async function agent(): Promise<string> {
    return (await startAgent()).deviceId;
  }

  async function startAgent(): Promise<{ readonly deviceId: string; readonly program: Program }> {
    const { tenantId, keyId, keySecret } = enrolment;
    const place = ['--data-dir', join(machine.folder, randomUUID())];
    const options = ['--no-service', '--server', url, '--tenant', tenantId, '--key-id', keyId, ...place];
    const installation = machine.agent(['install', ...options], { DEVICE_AGENT_KEY_SECRET: keySecret });
    const [, deviceId = ''] = await installation.untilPrints(/Device (\S+) is installed/);
    const program = machine.agent(['run', ...place], { SHELL: '/bin/bash', HOME: machine.folder, HISTFILE: '' });
    await eventually('the device is online', async () => (await stored(deviceId)).isOnline);
    return { deviceId, program };
  }

  async function stored(deviceId: string): Promise<DeviceResponseDto> {
    return (await machine.client({ url }).get(`/api/devices/${deviceId}`)).as<DeviceResponseDto>();
  }

  /** Index of the node that a device is connected to. */
  async function nodeOf(deviceId: string): Promise<number> {
    const client = new Client(database.connection);
    await client.connect();
    try {
      const { rows: places } = await client.query<{ here: boolean }>(
        'SELECT id = (SELECT node_id FROM devices WHERE id = $1) AS here FROM nodes ORDER BY started_at',
        [deviceId],
      );
      return places.findIndex(({ here }) => here);
    } finally {
      await client.end();
    }
  }

  /** Number of nodes that have some of these rows. */
  async function placesOf(rows: string): Promise<number> {
    const client = new Client(database.connection);
    await client.connect();
    try {
      const { rows: found } = await client.query<{ count: number }>(`SELECT count(DISTINCT node_id)::int AS count FROM ${rows}`);
      return found[0]?.count ?? 0;
    } finally {
      await client.end();
    }
  }

  async function connect(transport: HttpTransportType): Promise<HubConnection> {
    const connection = new HubConnectionBuilder()
      .withUrl(`${url}${VIEWER_HUB_PATH}`, { transport, headers: { 'x-api-key': machine.account.key } })
      .withAutomaticReconnect(AGAIN)
      .configureLogging(LogLevel.None)
      .build();
    connections.push(connection);
    await connection.start();
    return connection;
  }

  async function call(
    connection: HubConnection,
    name: 'CreateTerminalSession2' | 'SendTerminalInput2',
    request: object,
  ): Promise<HubResult> {
    const { parameters, returns }: HubMethod = viewerHub[name];
    const [type] = parameters;
    if (type === undefined || 'stream' in type || returns === undefined || 'stream' in returns) throw new Error('It is of another kind.');
    return returns.decode(await connection.invoke<unknown>(name, type.encode(request, 'json')), 'json') as HubResult;
  }

  /** Opens a terminal of the device, through whichever nodes the two are connected to. */
  const open = (connection: HubConnection, deviceId: string, terminalId: string = randomUUID()): Promise<HubResult> =>
    call(connection, 'CreateTerminalSession2', { deviceId, terminalId });

  /** False while its node has not come back, or the viewer has not. */
  const opens = async (connection: HubConnection, deviceId: string): Promise<boolean> =>
    (await open(connection, deviceId).catch(() => null))?.isSuccess === true;

  it.each([
    ['WebSockets', WebSockets],
    ['server-sent events', ServerSentEvents],
    ['long polling', LongPolling],
  ])('lets hub connections open and work over %s, though nothing sticks to a node', async (_name, transport) => {
    const deviceId = await agent();
    for (let number = 0; number < CONNECTIONS; number += 1) {
      const connection = await connect(transport);
      const terminalId = randomUUID();
      expect(await open(connection, deviceId, terminalId)).toMatchObject({ isSuccess: true });
      for (let input = 0; input < INPUTS; input += 1) {
        const typed = { terminalId, input: `: ${input}`, viewerConnectionId: null };
        expect(await call(connection, 'SendTerminalInput2', { deviceId, input: typed })).toMatchObject({ isSuccess: true });
      }
      await connection.stop();
    }
  });

  it('keeps the connections of a node that stops until its transfers have ended', async () => {
    const deviceId = await agent();
    const content = randomBytes(DOWNLOAD_BYTES);
    const filePath = join(machine.folder, 'file.bin');
    await writeFile(filePath, content);
    const response = await beginDownload(machine, { url }, { deviceId, tenantId: enrolment.tenantId }, filePath);
    const index = await nodeOf(deviceId);
    const { program, url: former } = nodes[index];
    program.signal('SIGTERM');
    // Longer than HAProxy takes to end the connections of a node that it cannot connect to.
    const until = performance.now() + 15_000;
    await eventually('it has been about to stop for a while', () => performance.now() > until, 60_000);
    expect(program.isRunning).toBe(true);
    expect((await bodyOf(response)).equals(content)).toBe(true);
    await program.untilEnd();
    expect(program.output).not.toContain('Cut off');
    nodes[index] = await machine.start({ ...environment(), Service_Port: new URL(former).port });
  });

  it('keeps the connections of nodes whose database is away, and gives them requests again afterwards', async () => {
    const connection = await connect(WebSockets);
    let wasLost = false;
    connection.onreconnecting(() => (wasLost = true));
    const { deviceId, program } = await startAgent();
    const status = async (path: string): Promise<number> => (await fetch(`${url}${path}`)).status;
    way.silence('');
    // The node of the device marks it offline by a query on a connection that stays silent.
    await program.kill();
    await eventually('no node gets requests', async () => (await status('/alive')) === 503);
    // Longer than HAProxy takes to end the connections of a node that does not answer.
    const until = performance.now() + 25_000;
    await eventually('the database has been away for long', () => performance.now() > until, 60_000);
    expect([await status('/alive'), connection.state, wasLost]).toEqual([503, HubConnectionState.Connected, false]);
    way.silence(null);
    await eventually('the nodes get requests', async () => (await status('/health/ready')) === 200, 120_000);
    await eventually('the device is offline', async () => !(await stored(deviceId)).isOnline);
    expect(wasLost).toBe(false);
  });

  it('brings agents and viewers of a killed node back through another one', async () => {
    const devices: string[] = [];
    // One at least: agents of the tests before may be at all nodes already.
    do devices.push(await agent());
    while ((await placesOf('devices WHERE is_online')) < NODES);
    const viewers: HubConnection[] = [];
    while ((await placesOf('viewer_places')) < NODES) {
      viewers.push(await connect(WebSockets));
      expect(await open(viewers[viewers.length - 1], devices[0])).toMatchObject({ isSuccess: true, reason: null });
    }
    const lost = viewers.map(() => false);
    for (const [index, viewer] of viewers.entries()) viewer.onreconnecting(() => (lost[index] = true));
    await nodes[NODES - 1].program.kill();
    await eventually('the viewers of the killed node notice', () => lost.includes(true), 120_000);
    for (const [index, viewer] of viewers.entries()) {
      await eventually(`viewer ${index} is back`, () => viewer.state === HubConnectionState.Connected, 120_000);
      for (const deviceId of devices) await eventually('it reaches the device', () => opens(viewer, deviceId), 120_000);
    }
    // No request is lost to the killed node: HAProxy asks another one.
    for (let number = 0; number < NODES * 2; number += 1) expect((await fetch(`${url}/health/ready`)).status).toBe(200);
  });
});
