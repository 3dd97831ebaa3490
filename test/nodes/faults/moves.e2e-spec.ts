import { once } from 'node:events';
import { randomUUID } from 'node:crypto';

import { beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { agentClient, agentHub, hubOk, hubValue, viewerHub, type HubResult } from '#libs/contracts';

import type { Tenant } from '../../../src/tenants/tenants/tenant.entity.js';
import { CHUNK, TransferClient } from '../../hubs/transfers.js';
import { TestViewer } from '../../hubs/viewer-client.js';
import { ROOT_KEY } from '../../support/application/app.js';
import { createKeyedDevice, FakeAgent, waitOnline, type FakeStream, type KeyedDevice } from '../../support/devices/agents.js';
import { eventually } from '../../support/eventually.js';
import { createTenant } from '../../support/fixtures/factories.js';
import { stopAfterEach } from '../../support/setup/test-server.js';
import { noNats } from '../support/nats-server.js';
import { testNodes } from '../support/test-nodes.js';
import { ROUNDS } from '../../support/rounds.js';

/*
 * A device connects to another node while its first connection is open, reports through both, or moves in the middle of something. The last
 * accepted report decides where it is reached, what is under way ends where it began, and nothing is done twice.
 */

const RACES = 10 * ROUNDS;
const NODES = [0, 1, 2];

describe.skipIf(noNats !== undefined)('a device that moves to another node', () => {
  const nodes = testNodes(3);
  const keep = stopAfterEach();
  let tenant: Tenant;
  let client: TransferClient;
  let device: KeyedDevice;
  let viewers: readonly TestViewer[];

  beforeAll(async () => {
    tenant = await createTenant(nodes.node(0));
    client = new TransferClient(nodes.node(0), tenant);
  });

  beforeEach(async () => {
    device = await createKeyedDevice(nodes.node(0), tenant);
    viewers = await Promise.all(NODES.map(async (number) => keep(await TestViewer.connect(nodes.node(number), { 'x-api-key': ROOT_KEY }))));
  });

  const agentAt = async (number: number): Promise<FakeAgent> => keep(await FakeAgent.online(nodes.node(number), device));

  const open = (viewer: TestViewer): Promise<HubResult> =>
    viewer.call(viewerHub.CreateTerminalSession2, { deviceId: device.id, terminalId: randomUUID() });

  /** Waits until every node reaches the device through an agent, and no longer through the former one. */
  const reachedThrough = async (agent: FakeAgent, former: FakeAgent): Promise<void> => {
    former.on(agentClient.CreateTerminalSession, hubOk);
    let opened = 0;
    agent.on(agentClient.CreateTerminalSession, () => {
      opened += 1;
      return hubOk();
    });
    await eventually('every node reaches the device where it is', async () => {
      opened = 0;
      for (const viewer of viewers) await open(viewer);
      return opened === viewers.length;
    });
  };

  interface Stored {
    readonly nodeId: string;
    readonly cpuUtilization: number;
  }

  const stored = async (): Promise<Stored> => {
    const sql = 'SELECT node_id AS "nodeId", cpu_utilization AS "cpuUtilization" FROM devices WHERE id = $1';
    const [row] = await nodes.node(0).dataSource.query<Stored[]>(sql, [device.id]);
    return row;
  };

  it('is reached through the last accepted report, from every node, also when it reports through both in turn', async () => {
    const agents = [await agentAt(1), await agentAt(2)];
    const nodeIds: string[] = [];
    for (const agent of agents) {
      await agent.heartbeat();
      nodeIds.push((await stored()).nodeId);
    }
    const called: number[] = [];
    for (const [index, agent] of agents.entries()) {
      agent.on(agentClient.CreateTerminalSession, () => {
        called.push(index);
        return hubOk();
      });
    }
    await viewers[0].call(viewerHub.SubscribeToDeviceHeartbeats2, { deviceIds: [device.id] });
    let reports = 0;
    const report = (agent: FakeAgent): Promise<unknown> => {
      reports += 1;
      return agent.heartbeat({ cpuUtilization: reports / 65_536 });
    };
    for (let race = 0; race < RACES; race += 1) {
      // Without waiting for each other; one that was overtaken is refused.
      await Promise.all([1, 2, 3].flatMap(() => agents.map((agent) => report(agent))));
      const { nodeId, cpuUtilization } = await stored();
      await eventually('all nodes reach it where it has reported last', async () => {
        called.length = 0;
        for (const viewer of viewers) await open(viewer);
        return called.length === viewers.length && called.every((index) => index === nodeIds.indexOf(nodeId));
      });
      await eventually('the last report is pushed', () => viewers[0].updates.at(-1)?.cpuUtilization === cpuUtilization);
    }
  });

  it('answers a call through the connection that had got it, and gets it once', async () => {
    const [former, calls] = [await agentAt(1), [] as string[]];
    let answer = (): void => undefined;
    former.on(agentClient.CreateTerminalSession, () => {
      calls.push('former');
      return new Promise((resolve) => (answer = () => resolve(hubOk())));
    });
    const answered = open(viewers[0]);
    await eventually('the agent has the call', () => calls.length === 1);
    const moved = await agentAt(2);
    moved.on(agentClient.CreateTerminalSession, () => {
      calls.push('moved');
      return hubOk();
    });
    answer();
    expect(await answered).toMatchObject({ isSuccess: true });
    expect(calls).toEqual(['former']);
    await reachedThrough(moved, former);
    expect(await open(viewers[0])).toMatchObject({ isSuccess: true });
  });

  it('does not get a call again whose answer was lost with its connection', async () => {
    const [former, calls] = [await agentAt(1), [] as string[]];
    former.on(agentClient.CreateTerminalSession, () => {
      calls.push('former');
      return new Promise(() => undefined);
    });
    const answered = open(viewers[0]);
    await eventually('the agent has the call', () => calls.length === 1);
    const moved = await agentAt(2);
    moved.on(agentClient.CreateTerminalSession, () => {
      calls.push('moved');
      return hubOk();
    });
    former.vanish();
    expect(await answered).toMatchObject({ isSuccess: false });
    expect(calls).toEqual(['former']);
  });

  it('goes on with an upload, and takes the next one where it is', async () => {
    const former = await agentAt(1);
    const taken = [takeUploads(former), [] as Buffer[]];
    const { sender, answer } = client.startUpload(device, 3 * CHUNK.length);
    sender.write(CHUNK);
    await eventually('the upload has begun', () => taken[0].length > 0);
    const moved = await agentAt(2);
    await waitOnline(nodes.node(2), device.id);
    taken[1] = takeUploads(moved);
    sender.end(Buffer.concat([CHUNK, CHUNK, Buffer.from('\r\n--b--\r\n')]));
    expect((await answer).statusCode).toBe(200);
    expect(Buffer.concat(taken[0])).toHaveLength(3 * CHUNK.length);
    await reachedThrough(moved, former);
    expect((await client.upload(device, CHUNK.length)).statusCode).toBe(200);
    expect([Buffer.concat(taken[0]).length, Buffer.concat(taken[1]).length]).toEqual([3 * CHUNK.length, CHUNK.length]);
  });

  it('goes on with a download and a listing', async () => {
    const former = await agentAt(1);
    const stream = announce(former, 2 * CHUNK.length);
    const download = client.open(`download/${device.id}`, { filePath: '/f' });
    (await stream).send(CHUNK);
    const listing = new Promise<FakeStream>((resolve) => {
      former.on(agentClient.StreamDirectoryContents, ({ streamId }) => {
        setImmediate(() => resolve(former.openStream(agentHub.SendDirectoryContentsStream, streamId, true)));
        return hubOk();
      });
    });
    const listed = client.list(device);
    const entries = await listing;
    const moved = await agentAt(2);
    await waitOnline(nodes.node(2), device.id);
    entries.complete();
    (await stream).send(CHUNK).complete();
    const response = await download;
    const bytes: Buffer[] = [];
    response.on('data', (part: Buffer) => void bytes.push(part));
    await once(response, 'end');
    expect([(await listed).status, Buffer.concat(bytes).length]).toEqual([200, 2 * CHUNK.length]);
    expect(moved.isOpen).toBe(true);
  });
});

/** Announces a file, and opens its stream. */
function announce(agent: FakeAgent, fileSize: number): Promise<FakeStream> {
  return new Promise((resolve) => {
    agent.on(agentClient.UploadFileToViewer, ({ streamId }) => {
      setImmediate(() => resolve(agent.openStream(agentHub.SendFileContentStream, streamId)));
      return hubValue({ fileSize, fileDisplayName: 'file' });
    });
  });
}

/** Takes uploads, and keeps their bytes as they come. */
function takeUploads(agent: FakeAgent): Buffer[] {
  const taken: Buffer[] = [];
  const { name, parameters } = agentHub.GetFileStreamFromViewer;
  agent.on(agentClient.DownloadFileFromViewer, (dto) => {
    return new Promise((resolve, reject) => {
      agent.connection.stream<string>(name, parameters[0].encode(dto, agent.encoding)).subscribe({
        next: (part) => void taken.push(Buffer.from(part, 'base64')),
        complete: () => resolve(hubOk()),
        error: reject,
      });
    });
  });
  return taken;
}
