import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';

import { HttpTransportType, HubConnectionBuilder, HubConnectionState, LogLevel, type HubConnection } from '@microsoft/signalr';
import { MessagePackHubProtocol } from '@microsoft/signalr-protocol-msgpack';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';

import { agentClient, hubOk, viewerHub, type Encoding, type HubMethod } from '#libs/contracts';

import { Permission } from '../../src/access/authorization/permissions/permission.js';
import { PassingLimits } from '../../src/live/nodes/bytes/passing-limits.js';
import { AGENT_HUB_PATH, VIEWER_HUB_PATH } from '../../src/platform/common/addresses/hub-paths.js';
import { newGuid } from '../../src/platform/common/identifiers/guid.js';
import type { Tenant } from '../../src/tenants/tenants/tenant.entity.js';
import { callerWith, type Caller } from '../hubs/viewer-client.js';
import { createKeyedDevice, FakeAgent, waitOnline } from '../support/devices/agents.js';
import { eventually, settled } from '../support/eventually.js';
import { at, createTenant } from '../support/fixtures/factories.js';
import { Balancer } from './support/balancer.js';
import { noNats } from './support/nats-server.js';
import { testNodes } from './support/test-nodes.js';

const { WebSockets, ServerSentEvents, LongPolling } = HttpTransportType;
const CONNECTIONS = 6;
/** The query of the address of a node. */
const ADDRESSES = 'SELECT%address FROM nodes%';
const INPUTS = 20;

interface Kind {
  readonly name: string;
  readonly transport: HttpTransportType;
  readonly encoding: Encoding;
  readonly isStateful?: boolean;
}

const KINDS: readonly Kind[] = [
  { name: 'WebSockets, JSON', transport: WebSockets, encoding: 'json' },
  { name: 'WebSockets, MessagePack', transport: WebSockets, encoding: 'messagepack' },
  { name: 'WebSockets with stateful reconnect, JSON', transport: WebSockets, encoding: 'json', isStateful: true },
  { name: 'WebSockets with stateful reconnect, MessagePack', transport: WebSockets, encoding: 'messagepack', isStateful: true },
  { name: 'server-sent events, JSON', transport: ServerSentEvents, encoding: 'json' },
  { name: 'long polling, JSON', transport: LongPolling, encoding: 'json' },
  { name: 'long polling, MessagePack', transport: LongPolling, encoding: 'messagepack' },
];

/** The answer to a negotiation. */
interface Negotiation {
  readonly connectionId: string;
  readonly connectionToken: string;
}

describe.skipIf(noNats !== undefined)('hub connections behind a balancer that lets nothing stick', () => {
  const nodes = testNodes(3);
  const open: HubConnection[] = [];
  let balancer: Balancer;
  let tenant: Tenant;
  let caller: Caller;

  beforeAll(async () => {
    balancer = await Balancer.inFrontOf(nodes.all.map(({ url }) => url));
    tenant = await createTenant(nodes.node(0));
    caller = await callerWith(nodes.node(0), tenant, [Permission.DeviceTerminalUse, Permission.DeviceRead], at.tenant(tenant));
  });

  afterEach(async () => {
    for (const connection of open.splice(0)) await connection.stop();
  });

  afterAll(() => balancer.stop());

  async function connect({ transport, encoding, isStateful }: Omit<Kind, 'name'>): Promise<HubConnection> {
    const builder = new HubConnectionBuilder()
      .withUrl(`${balancer.url}${VIEWER_HUB_PATH}`, { transport, headers: caller.headers })
      .configureLogging(LogLevel.None);
    if (encoding === 'messagepack') builder.withHubProtocol(new MessagePackHubProtocol());
    if (isStateful === true) builder.withStatefulReconnect();
    const connection = builder.build();
    open.push(connection);
    await connection.start();
    return connection;
  }

  /** A device with an agent whose inputs are kept, at whichever node the balancer gave it to. */
  async function deviceAt(server: { readonly url: string }): Promise<{ agent: FakeAgent; inputs: string[]; deviceId: string }> {
    const device = await createKeyedDevice(nodes.node(0), tenant);
    const agent = await FakeAgent.online(server, device);
    const inputs: string[] = [];
    agent.on(agentClient.CreateTerminalSession, () => hubOk());
    agent.on(agentClient.ReceiveTerminalInput, ({ input }) => {
      inputs.push(input);
      return hubOk();
    });
    return { agent, inputs, deviceId: device.id };
  }

  /** Calls a method with one parameter, and requires its success. */
  async function call(connection: HubConnection, encoding: Encoding, name: keyof typeof viewerHub, request: object): Promise<void> {
    const { parameters, returns }: HubMethod = viewerHub[name];
    const [type] = parameters;
    if (type === undefined || 'stream' in type || returns === undefined || 'stream' in returns) throw new Error('It is of another kind.');
    const answer: unknown = await connection.invoke(name, type.encode(request, encoding));
    expect(returns.decode(answer, encoding)).toMatchObject({ isSuccess: true });
  }

  it.each(KINDS)('open, call and end: $name', async (kind) => {
    const { agent, inputs, deviceId } = await deviceAt(nodes.node(1));
    for (let number = 0; number < CONNECTIONS; number += 1) {
      const connection = await connect(kind);
      const terminalId = newGuid();
      inputs.length = 0;
      await call(connection, kind.encoding, 'CreateTerminalSession2', { deviceId, terminalId });
      const sent = Array.from({ length: INPUTS }, (_, index) => `${index} ${'x'.repeat(index * 1_000)}`);
      for (const input of sent) {
        await call(connection, kind.encoding, 'SendTerminalInput2', { deviceId, input: { terminalId, input, viewerConnectionId: null } });
      }
      expect(inputs).toEqual(sent);
      await connection.stop();
      expect(connection.state).toBe(HubConnectionState.Disconnected);
    }
    await agent.stop();
  });

  it.each(KINDS.filter(({ isStateful }) => isStateful))('come back over another socket: $name', async (kind) => {
    const { agent, inputs, deviceId } = await deviceAt(nodes.node(2));
    const connection = await connect(kind);
    const terminalId = newGuid();
    const id = connection.connectionId;
    let isClosed = false;
    connection.onclose(() => (isClosed = true));
    await call(connection, kind.encoding, 'CreateTerminalSession2', { deviceId, terminalId });
    const sent = Array.from({ length: INPUTS }, (_, index) => String(index));
    for (const [index, input] of sent.entries()) {
      if (index % 5 === 4) balancer.cutUpgraded();
      await call(connection, kind.encoding, 'SendTerminalInput2', { deviceId, input: { terminalId, input, viewerConnectionId: null } });
    }
    expect(inputs).toEqual(sent);
    expect([connection.connectionId, isClosed]).toEqual([id, false]);
    await agent.stop();
  });

  it('of agents open and report', async () => {
    const device = await createKeyedDevice(nodes.node(0), tenant);
    for (let number = 0; number < CONNECTIONS; number += 1) {
      const agent = await FakeAgent.online({ url: balancer.url }, device);
      await agent.stop();
    }
    const agent = await FakeAgent.online(nodes.node(0), device);
    await waitOnline(nodes.node(0), device.id);
    await agent.stop();
  });

  const negotiate = async (node: number, path: string = VIEWER_HUB_PATH, headers = caller.headers, query = ''): Promise<Negotiation> => {
    const answer = await fetch(`${nodes.node(node).url}${path}/negotiate?negotiateVersion=1${query}`, { method: 'POST', headers });
    return (await answer.json()) as Negotiation;
  };
  const poll = async (
    node: number,
    token: string,
    path: string = VIEWER_HUB_PATH,
    headers: Caller['headers'] = caller.headers,
  ): Promise<number> => {
    const { status } = await fetch(`${nodes.node(node).url}${path}?id=${encodeURIComponent(token)}`, { headers });
    return status;
  };

  /** The status by which an upgrade of the agent hub is refused, which anybody may ask for. */
  const refusedUpgrade = async (node: number, token: string): Promise<number | undefined> => {
    const socket = new WebSocket(`${nodes.node(node).url.replace('http', 'ws')}${AGENT_HUB_PATH}?id=${token}`);
    socket.on('error', () => undefined);
    const [, answer] = (await once(socket, 'unexpected-response')) as [unknown, IncomingMessage];
    answer.resume();
    return answer.statusCode;
  };

  it('are not opened by a token that was changed, of another hub, or of another principal', async () => {
    const other = await callerWith(nodes.node(0), tenant, [Permission.DeviceRead], at.tenant(tenant));
    const { connectionToken: token } = await negotiate(0);
    const [contents, code] = token.split('.');
    const raised = JSON.parse(Buffer.from(contents, 'base64url').toString()) as [string, boolean, number, string];
    raised[2] += 3_600_000;
    const changed = `${Buffer.from(JSON.stringify(raised)).toString('base64url')}.${code}`;
    for (const node of [0, 1, 2]) {
      expect(await poll(node, changed)).toBe(404);
      expect(await poll(node, `${contents}.${'A'.repeat(43)}`)).toBe(404);
      expect(await poll(node, token, AGENT_HUB_PATH)).toBe(404);
      expect(await poll(node, token, VIEWER_HUB_PATH, other.headers)).toBe(404);
    }
    expect(await poll(1, token)).toBe(200);
  });

  it('are authenticated by their home where their token was shown before', async () => {
    const other = await callerWith(nodes.node(0), tenant, [Permission.DeviceRead], at.tenant(tenant));
    const { connectionToken: token } = await negotiate(0);
    expect(await poll(1, token)).toBe(200);
    expect(await poll(1, token, VIEWER_HUB_PATH, other.headers)).toBe(404);
    expect(await poll(1, token, VIEWER_HUB_PATH, {})).toBe(401);
  });

  it('are not opened by a token that was used', async () => {
    const { connectionToken: used } = await negotiate(0);
    expect(await poll(2, used)).toBe(200);
    const ended = await fetch(`${nodes.node(1).url}${VIEWER_HUB_PATH}?id=${encodeURIComponent(used)}`, {
      method: 'DELETE',
      headers: caller.headers,
    });
    expect(ended.status).toBe(202);
    await eventually('the connection has ended', async () => (await poll(1, used)) === 404);
  });

  it('are unknown once their home has ended', async () => {
    const home = await nodes.node(0).startBeside();
    const answer = await fetch(`${home.url}${VIEWER_HUB_PATH}/negotiate?negotiateVersion=1`, { method: 'POST', headers: caller.headers });
    const { connectionToken } = (await answer.json()) as Negotiation;
    expect(await poll(1, connectionToken)).toBe(200);
    await home.app.close();
    expect(await poll(1, connectionToken)).toBe(404);
    expect(await poll(2, connectionToken)).toBe(404);
  });

  it('take one connection to the database at most while they name nodes that there are not, which anybody can do', async () => {
    const { dataSource } = nodes.node(1);
    const blocking = dataSource.createQueryRunner();
    const asking = async (): Promise<number> => {
      const rows: readonly object[] = await nodes
        .node(0)
        .dataSource.query(
          `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '${ADDRESSES}'`,
        );
      return rows.length;
    };
    try {
      await blocking.startTransaction();
      await blocking.query('LOCK TABLE nodes IN ACCESS EXCLUSIVE MODE');
      const asked = [0, 1, 2, 3, 4, 5, 6, 7].map((number) => refusedUpgrade(1, `nowhere-${number}.${'A'.repeat(22)}`));
      expect(await settled('the number of connections', async () => (await asking()) || Number.NaN)).toBe(1);
      await blocking.rollbackTransaction();
      expect(new Set(await Promise.all(asked))).toEqual(new Set([404]));
    } finally {
      await blocking.release();
    }
  });

  it('do not use up the upgrades that may be passed on while the database fails', async () => {
    const { app, dataSource } = nodes.node(1);
    const limits = app.get(PassingLimits, { strict: false });
    Object.assign(limits, { spliced: 1 });
    const blocking = dataSource.createQueryRunner();
    try {
      await blocking.startTransaction();
      await blocking.query('LOCK TABLE nodes IN ACCESS EXCLUSIVE MODE');
      const failed = refusedUpgrade(1, `nowhere.${'A'.repeat(22)}`);
      await eventually('the address of the node is asked for, and the connection is lost', async () => {
        const ended: readonly object[] = await nodes.node(0).dataSource.query(
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
           WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '${ADDRESSES}'`,
        );
        return ended.length > 0;
      });
      expect(await failed).toBe(503);
      await blocking.rollbackTransaction();
      expect(await refusedUpgrade(1, `nowhere.${'A'.repeat(22)}`)).toBe(404);
    } finally {
      await blocking.release();
      Object.assign(limits, new PassingLimits());
    }
  });
});
