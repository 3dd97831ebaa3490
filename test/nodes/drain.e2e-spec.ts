import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Client } from 'pg';
import { WebSocket } from 'ws';

import type { Service } from '../../demo/service.js';
import { AGENT_HUB_PATH } from '../../src/platform/common/addresses/hub-paths.js';
import { createTestDatabase, type TestDatabase } from '../support/brokers/postgres.js';
import { enrol, ReportingDevice, type Enrolment } from '../support/devices/reporting-device.js';
import { beginDownload, bodyOf, connectedAgent } from '../support/devices/running-agent.js';
import { eventually } from '../support/eventually.js';
import { Machine, onDatabase } from '../support/processes/service-process.js';
import { type NatsServer, noNats } from './support/nats-server.js';
import { nodeOptions, startNats } from './support/node-options.js';

/* A node among others that is told to stop: nothing is lost, and its connections come to the others a few at a time. */

/** Hub connections that a node lets go in the test, 50 a second, and half of the time that this takes, in milliseconds. */
const CONNECTIONS = 100;
const HALF_OF_THE_TIME_MS = 1_000;
/** Size above the buffers between a device, two nodes and a client that does not read. */
const DOWNLOAD_BYTES = 48 * 1024 * 1024;

const PING = '{"type":6}\x1e';

/** A WebSocket of the agent hub that has said nothing but which protocol it speaks. */
async function silentConnection({ url }: Service): Promise<WebSocket> {
  const socket = new WebSocket(new URL(AGENT_HUB_PATH, url.replace('http', 'ws')));
  await once(socket, 'open');
  socket.send('{"protocol":"json","version":1}\x1e');
  await once(socket, 'message');
  return socket;
}

/** The messages of a connection from now on, and the time of its end. */
function watched(socket: WebSocket): { readonly messages: string[]; endedAt: number | null } {
  const seen: { readonly messages: string[]; endedAt: number | null } = { messages: [], endedAt: null };
  socket.on('message', (data: Buffer) => seen.messages.push(data.toString()));
  socket.on('close', () => (seen.endedAt = performance.now()));
  return seen;
}

describe.skipIf(noNats !== undefined)('a node that is told to stop', () => {
  let machine: Machine;
  let database: TestDatabase;
  let nats: NatsServer;
  let first: Service;
  let enrolment: Enrolment;

  beforeAll(async () => {
    [machine, database, nats] = await Promise.all([Machine.open(), createTestDatabase(), startNats()]);
  });

  // Apart, because the first hook of a run may wait for the build.
  beforeAll(async () => {
    first = await startNode();
    enrolment = await enrol(machine.client(first));
  });

  afterAll(async () => {
    await machine.close();
    await nats.kill();
    await database.drop();
  });

  const startNode = (changes: Record<string, string> = {}): Promise<Service> =>
    machine.start({
      ...onDatabase(database),
      Service_DataPath: join(machine.folder, randomUUID()),
      Service_AppOptions__DownloadSpoolSize: '0',
      Service_AppOptions__MaxFileTransferSize: '0',
      ...nodeOptions(nats),
      // Longer than a busy machine takes to see that it still serves.
      Service_Nodes__DrainDelaySeconds: '6',
      Service_Nodes__DrainSeconds: '2',
      // A node that has nearly all connections for long would let its devices go.
      Service_Nodes__Rebalance: 'false',
      ...changes,
    });

  async function rows<T>(sql: string, parameters: readonly unknown[] = []): Promise<T[]> {
    const client = new Client(database.connection);
    await client.connect();
    try {
      return (await client.query<never>(sql, [...parameters])).rows;
    } finally {
      await client.end();
    }
  }

  const readiness = async ({ url }: Service): Promise<unknown> => {
    const answer = await fetch(`${url}/health/ready`, { headers: { connection: 'close' } });
    return [answer.status, ((await answer.json()) as { state: string }).state];
  };

  /** Creates tenants at a node, one after the other, until nobody listens there. The names are those of acknowledged ones. */
  async function createTenants({ url }: Service, names: string[]): Promise<void> {
    const headers = { 'x-api-key': machine.account.key, 'content-type': 'application/json', connection: 'close' };
    for (;;) {
      const name = `Tenant ${randomUUID()}`;
      const answer = await fetch(`${url}/api/v1/tenants`, { method: 'POST', headers, body: JSON.stringify({ name }) }).catch(() => null);
      if (answer === null) return;
      expect([answer.status, await answer.text()]).toEqual([201, expect.any(String)]);
      names.push(name);
    }
  }

  /** Resets the password of a user at a node, one time after the other, until nobody listens there. The statuses are those of the answers. */
  async function resetPasswords({ url }: Service, statuses: number[]): Promise<void> {
    const { tenantId } = enrolment;
    const user = { userName: `${randomUUID()}@example.org`, email: null, password: null, presetNames: null };
    const { id } = (await machine.client(first).post('/api/v1/users', { query: { tenantId }, body: user })).as<{ id: string }>();
    const headers = { 'x-api-key': machine.account.key, connection: 'close' };
    for (;;) {
      const path = `${url}/api/v1/users/${id}/reset-password?tenantId=${tenantId}`;
      const answer = await fetch(path, { method: 'POST', headers }).catch(() => null);
      if (answer === null) return;
      statuses.push(answer.status);
      await answer.arrayBuffer();
    }
  }

  async function expectOrderlyEnd({ program }: Service): Promise<void> {
    expect(await program.untilEnd()).toEqual({ code: 0, signal: null });
  }

  it('serves until balancers know, then lets its connections go over time, and loses nothing that it has acknowledged', async () => {
    const second = await startNode();
    const device = await ReportingDevice.register(first.url, enrolment);
    const sockets = await Promise.all(Array.from({ length: CONNECTIONS }, () => silentConnection(second)));
    const connections = sockets.map(watched);
    const returns: Promise<void>[] = [];
    const comeBack = async (): Promise<void> => {
      await device.connect(first.url);
      await device.reportAs('back');
    };
    await device.connect(second.url, () => void returns.push(comeBack()));
    await device.reportAs('at the second');
    const names: string[] = [];
    const refused = createTenants(second, names);
    await eventually('its row counts its connections', async () => {
      const counts = await rows<{ connections: number }>('SELECT connections FROM nodes ORDER BY started_at');
      return counts[1]?.connections === CONNECTIONS + 1;
    });
    // A node ends a connection that is silent for half a minute.
    for (const socket of sockets) socket.send(PING);

    second.program.signal('SIGTERM');
    await eventually('it says that it is about to stop', async () => JSON.stringify(await readiness(second)) === '[503,"Draining"]');
    const before = names.length;
    await eventually('it still serves', () => names.length > before);
    expect(connections.filter(({ endedAt }) => endedAt !== null)).toEqual([]);
    await refused;
    await expectOrderlyEnd(second);

    expect(await rows('SELECT FROM tenants WHERE name = ANY($1)', [names])).toHaveLength(names.length);
    await eventually('all connections are closed', () => connections.every(({ endedAt }) => endedAt !== null));
    for (const { messages } of connections) expect(messages.at(-1)).toBe('{"type":7,"allowReconnect":true}\x1e');
    const ends = connections.map(({ endedAt }) => endedAt ?? 0);
    expect(Math.max(...ends) - Math.min(...ends)).toBeGreaterThan(HALF_OF_THE_TIME_MS);
    expect(ends).not.toEqual([...ends].sort((one, other) => one - other));
    await eventually('the device is back', () => returns.length > 0);
    await Promise.all(returns);
    const [{ node }] = await rows<{ node: string }>('SELECT id AS node FROM nodes');
    expect(await rows('SELECT name, node_id FROM devices WHERE is_online AND id = $1', [device.id])).toEqual([
      { name: 'back', node_id: node },
    ]);
    expect(await rows('SELECT FROM nodes')).toHaveLength(1);
    await device.disconnect();
  });

  it('hashes passwords as long as it serves', async () => {
    const second = await startNode({ Service_Nodes__DrainDelaySeconds: '0' });
    const sockets = await Promise.all(Array.from({ length: CONNECTIONS }, () => silentConnection(second)));
    const statuses: number[] = [];
    const refused = resetPasswords(second, statuses);
    await eventually('a password is hashed', () => statuses.length > 0);
    second.program.signal('SIGTERM');
    await refused;
    expect(statuses.filter((status) => status !== 200)).toEqual([]);
    await expectOrderlyEnd(second);
    for (const socket of sockets) socket.terminate();
  });

  it('lets a transfer end that another node passes on', async () => {
    // Time for the transfer. Few connections do not take that long.
    const second = await startNode({ Service_Nodes__DrainSeconds: '120' });
    const device = await connectedAgent(machine, second, enrolment, 'agent');
    const content = randomBytes(DOWNLOAD_BYTES);
    const filePath = join(machine.folder, 'file.bin');
    await writeFile(filePath, content);
    const response = await beginDownload(machine, first, device, filePath);

    const other = watched(await silentConnection(second));
    second.program.signal('SIGTERM');
    await eventually('another connection is closed', () => other.endedAt !== null);
    expect(await rows('SELECT FROM devices WHERE is_online AND id = $1', [device.deviceId])).toHaveLength(1);
    expect((await bodyOf(response)).equals(content)).toBe(true);
    await expectOrderlyEnd(second);
    expect(second.program.output).not.toContain('Cut off');
  });
});
