import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { createUser } from '@nats-io/nkeys';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { agentClient, hubOk, viewerHub } from '#libs/contracts';

import { Permission } from '../../src/access/authorization/permissions/permission.js';
import { newGuid } from '../../src/platform/common/identifiers/guid.js';
import { callerWith, TestViewer } from '../hubs/viewer-client.js';
import { TestApp } from '../support/application/app.js';
import { createKeyedDevice, FakeAgent } from '../support/devices/agents.js';
import { eventually } from '../support/eventually.js';
import { at, createTenant } from '../support/fixtures/factories.js';
import { portToKeep } from '../support/processes/service-process.js';
import { NatsServer, noNats } from './support/nats-server.js';
import { NODES_SECRET } from './support/node-options.js';

/* Nodes on three servers of NATS with the configuration that the service comes with. */

const FOLDER = fileURLToPath(new URL('../../deploy/nats/', import.meta.url));
const NAMES = ['nats-1', 'nats-2', 'nats-3'];
/** Longest time without a call that succeeds when a server is lost, in milliseconds; it is 0.3 s on a machine that does nothing else. */
const BACK_WITHIN_MS = 20_000;

/** A server of the cluster, with the port at which it shows its routes. */
interface Member {
  readonly server: NatsServer;
  readonly monitor: number;
}

describe.skipIf(noNats !== undefined)('nodes on a cluster of NATS', () => {
  const key = createUser();
  let folder: string;
  const members: Member[] = [];
  const nodes: TestApp[] = [];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'nats-cluster-'));
    const routes = await Promise.all(NAMES.map(() => portToKeep()));
    const shipped = await readFile(join(FOLDER, 'nats-cluster.conf'), 'utf8');
    await copyFile(join(FOLDER, 'nats-server.conf'), join(folder, 'nats-server.conf'));
    for (const [index, name] of NAMES.entries()) members.push(await startMember(name, shipped, routes, index));
    for (const { monitor } of members) await eventually('the servers have found each other', async () => (await routesAt(monitor)) === 2);
    while (nodes.length < 2) nodes.push(await startNode());
  });

  afterAll(async () => {
    const [first, second] = nodes;
    await second?.app.close();
    await first?.stop();
    for (const { server } of members) await server.kill();
    await rm(folder, { recursive: true, force: true });
  });

  /** Starts a server with the shipped file, in which the names of the three are ports of this machine. */
  async function startMember(name: string, shipped: string, routes: readonly number[], index: number): Promise<Member> {
    let config = shipped.replace('0.0.0.0:6222', `127.0.0.1:${routes[index]}`);
    for (const [number, other] of NAMES.entries()) config = config.replace(`nats://${other}:6222`, `nats://127.0.0.1:${routes[number]}`);
    const file = join(folder, `${name}.conf`);
    await writeFile(file, config);
    const monitor = await portToKeep();
    const env = { NATS_NAME: name, NATS_NKEY: key.getPublicKey() };
    return { server: await NatsServer.start(['-c', file, '-m', String(monitor)], env), monitor };
  }

  async function routesAt(monitor: number): Promise<number> {
    const answer = await fetch(`http://127.0.0.1:${monitor}/routez`);
    const { routes } = (await answer.json()) as { readonly routes?: readonly { readonly remote_id: string }[] };
    // From 2.10 on, servers have several connections to each other.
    return new Set((routes ?? []).map(({ remote_id: remote }) => remote)).size;
  }

  /** Starts a node that knows all three, and takes any of them. */
  async function startNode(): Promise<TestApp> {
    const env = {
      Service_Nodes__Nats: members.map(({ server }) => server.url).join(','),
      Service_Nodes__NatsSeed: new TextDecoder().decode(key.getSeed()),
      Service_Nodes__Secret: NODES_SECRET,
      Service_Nodes__Port: '0',
      Service_Nodes__BindAddress: '127.0.0.1',
    };
    return nodes[0] === undefined ? TestApp.start(env) : nodes[0].startBeside();
  }

  it('call each other within seconds when the server of either is killed, and keep the order of what is typed', async () => {
    const [home, other] = nodes;
    const tenant = await createTenant(home);
    const caller = await callerWith(home, tenant, [Permission.DeviceTerminalUse], at.tenant(tenant));
    const device = await createKeyedDevice(home, tenant);
    const agent = await FakeAgent.online(home, device);
    const typed: string[] = [];
    agent.on(agentClient.CreateTerminalSession, () => hubOk());
    agent.on(agentClient.ReceiveTerminalInput, ({ input }) => {
      typed.push(input);
      return hubOk();
    });
    const viewer = await TestViewer.connect(other, caller.headers);
    const terminalId = newGuid();
    let count = 0;
    const done: string[] = [];
    const types = async (): Promise<boolean> => {
      count += 1;
      const input = { terminalId, input: String(count), viewerConnectionId: null };
      const { isSuccess } = await viewer.call(viewerHub.SendTerminalInput2, { deviceId: device.id, input });
      if (isSuccess) done.push(input.input);
      return isSuccess;
    };
    await eventually('the nodes reach each other', async () => {
      const { isSuccess } = await viewer.call(viewerHub.CreateTerminalSession2, { deviceId: device.id, terminalId });
      return isSuccess;
    });

    // Each in turn, so that of either node is among them.
    for (const { server, monitor } of members) {
      await server.kill();
      await eventually('calls are done again', types, BACK_WITHIN_MS);
      for (let number = 0; number < 20; number += 1) expect(await types()).toBe(true);
      await server.startAgain();
      await eventually('it is one of three again', async () => (await routesAt(monitor)) === 2);
    }
    expect(typed.filter((input) => done.includes(input))).toEqual(done);
    expect(new Set(typed).size).toBe(typed.length);
    await viewer.stop();
    await agent.stop();
  });
});
