import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import {
  agentClient,
  agentHub,
  hubOk,
  hubValue,
  TerminalOutputDto,
  TerminalOutputKind,
  Timestamp,
  viewerHub,
  type HubResult,
} from '#libs/contracts';

import { NodeTimes } from '../../../src/platform/node/node-times.js';
import type { Tenant } from '../../../src/tenants/tenants/tenant.entity.js';
import { newMeeting, RelayPeer, relayUri } from '../../hubs/relay-peer.js';
import { CHUNK, TransferClient } from '../../hubs/transfers.js';
import { TestViewer } from '../../hubs/viewer-client.js';
import { ROOT_KEY } from '../../support/application/app.js';
import { createTestDatabase, type TestDatabase } from '../../support/brokers/postgres.js';
import { createKeyedDevice, FakeAgent, waitOnline, type FakeStream } from '../../support/devices/agents.js';
import { eventually } from '../../support/eventually.js';
import { createTenant } from '../../support/fixtures/factories.js';
import { stopAfterEach } from '../../support/setup/test-server.js';
import { DatabaseProxy } from '../../support/stand-ins/database-proxy.js';
import { noNats } from '../support/nats-server.js';
import { testNodes } from '../support/test-nodes.js';
import { isLong } from '../../support/rounds.js';

/* PostgreSQL is away for longer than the time after which a node counts as gone. What runs between nodes goes on, and no node is judged. */

/** Times of nodes, shortened so that all are overdue after some seconds. */
const SHORT_TIMES: Partial<NodeTimes> = { goneAfterMs: 5_000, steadyMs: 5_000 };
const AWAY_MS = isLong ? 60_000 : 10_000;
/** Chunks of a file that are sent in that time, and its bytes: another chunk is sent before, and one after. */
const PARTS = 2;
const FILE_BYTES = (PARTS + 2) * CHUNK.length;
const FROM_A_DEVICE = Timestamp.fromDate(new Date('2026-01-02T03:04:05Z'));

describe.skipIf(noNats !== undefined)('PostgreSQL that is away', () => {
  let anotherDatabase: TestDatabase;
  let way: DatabaseProxy;
  const env: Record<string, string> = {};
  beforeAll(async () => {
    // All databases of tests are in one PostgreSQL.
    anotherDatabase = await createTestDatabase();
    way = await DatabaseProxy.start(anotherDatabase.connection);
    Object.assign(env, { POSTGRES_HOST: '127.0.0.1', POSTGRES_PORT: String(way.port) });
  });
  const nodes = testNodes(2, env);
  const keep = stopAfterEach();
  let tenant: Tenant;

  beforeAll(async () => {
    if (!isLong) for (const { app } of nodes.all) Object.assign(app.get(NodeTimes, { strict: false }), SHORT_TIMES);
    tenant = await createTenant(nodes.node(0));
  });

  afterAll(async () => {
    await way.stop();
    await anotherDatabase.drop();
  });

  it('ends nothing that runs between nodes, and makes nobody gone', async () => {
    const device = await createKeyedDevice(nodes.node(0), tenant);
    const agent = keep(await FakeAgent.online(nodes.node(1), device));
    await waitOnline(nodes.node(1), device.id);
    const inputs: string[] = [];
    agent.on(agentClient.CreateTerminalSession, () => hubOk());
    agent.on(agentClient.ReceiveTerminalInput, ({ input }) => {
      inputs.push(input);
      return hubOk();
    });
    const viewer = keep(await TestViewer.connect(nodes.node(0), { 'x-api-key': ROOT_KEY }));
    const terminalId = randomUUID();
    expect(await viewer.call(viewerHub.CreateTerminalSession2, { deviceId: device.id, terminalId })).toMatchObject({ isSuccess: true });
    const type = (input: string): Promise<HubResult> =>
      viewer.call(viewerHub.SendTerminalInput2, { deviceId: device.id, input: { terminalId, input, viewerConnectionId: null } });
    const print = async (output: string): Promise<void> => {
      const dto = { terminalId, output, outputKind: TerminalOutputKind.StandardOutput, timestamp: FROM_A_DEVICE };
      await agent.connection.invoke(agentHub.SendTerminalOutputToViewer.name, viewer.connectionId, TerminalOutputDto.encode(dto, 'json'));
    };
    const meeting = newMeeting();
    const requester = keep(new RelayPeer(relayUri(nodes.node(0), meeting, 'requester'), { 'x-api-key': ROOT_KEY }));
    const responder = keep(new RelayPeer(relayUri(nodes.node(1), meeting, 'responder')));
    await Promise.all([requester.opened(), responder.opened()]);
    const stream = new Promise<FakeStream>((resolve) => {
      agent.on(agentClient.UploadFileToViewer, ({ streamId }) => {
        setImmediate(() => resolve(agent.openStream(agentHub.SendFileContentStream, streamId)));
        return hubValue({ fileSize: FILE_BYTES, fileDisplayName: 'file' });
      });
    });
    const download = new TransferClient(nodes.node(0), tenant).download(device);
    (await stream).send(CHUNK);
    const rowsBefore: object[] = await nodes.node(0).dataSource.query('SELECT id FROM nodes ORDER BY id');
    expect(await type('before')).toMatchObject({ isSuccess: true });
    await print('before');

    await way.refuse();
    for (const { url } of nodes.all) {
      await eventually('the node is not ready', async () => (await fetch(`${url}/health/ready`)).status === 503);
    }
    // Nobody can be asked for a right.
    expect(await type('during')).toMatchObject({ isSuccess: false });
    const printing = print('during');
    requester.socket.send('during');
    await eventually('the relay goes on', () => responder.messages.length === 1);
    // A device that sends nothing for a minute counts as stalled.
    for (let part = 0; part < PARTS; part += 1) {
      (await stream).send(CHUNK);
      // The fault itself: nothing tells that it has lasted long enough.
      await delay(AWAY_MS / PARTS);
    }
    await way.serveAgain();

    for (const { url } of nodes.all) {
      await eventually('the node is ready', async () => (await fetch(`${url}/health/ready`)).status === 200);
    }
    await eventually('the terminal goes on', async () => (await type('after')).isSuccess);
    await printing;
    await print('after');
    responder.socket.send('after');
    await eventually('the relay has gone on', () => requester.messages.length === 1);
    (await stream).send(CHUNK).complete();
    expect((await download).bytes).toHaveLength(FILE_BYTES);
    expect(await nodes.node(0).dataSource.query('SELECT id FROM nodes ORDER BY id')).toEqual(rowsBefore);
    expect(await nodes.node(0).dataSource.query('SELECT id FROM devices WHERE is_online')).toEqual([{ id: device.id }]);
    expect([agent.isOpen, viewer.isClosed, inputs]).toEqual([true, false, ['before', 'after']]);
    await eventually('all outputs are shown', () => viewer.outputs.length >= 3);
    expect(viewer.outputs.map(({ output }) => output)).toEqual(['before', 'during', 'after']);
  });
});
