import { beforeAll, describe, expect, it } from 'vitest';

import { agentClient, agentHub, hubOk, TerminalOutputDto, TerminalOutputKind, Timestamp, viewerHub } from '#libs/contracts';

import { Permission } from '../../../src/access/authorization/permissions/permission.js';
import { DeviceLink } from '../../../src/devices/device-link/device-link.js';
import { DeviceTimes } from '../../../src/devices/device-link/device-times.js';
import { VIEWER_HUB_PATH } from '../../../src/platform/common/addresses/hub-paths.js';
import { newGuid } from '../../../src/platform/common/identifiers/guid.js';
import { createKeyedDevice, FakeAgent, nodeOf } from '../../support/devices/agents.js';
import { eventually } from '../../support/eventually.js';
import { at } from '../../support/fixtures/factories.js';
import { stopAfterEach, testServer, testTenant } from '../../support/setup/test-server.js';
import { hubsOf, limitHub } from '../attacks/raw-hub-client.js';
import { callerWith, TestViewer } from '../viewer-client.js';

/**
 * The typical time that one connection may wait while another one misbehaves. The median counts, because test, server
 * and database share the processors. A connection that is really blocked would wait until the other one is done, which
 * never happens.
 */
const TYPICAL_WAIT_MS = 5_000;

/** Time-out of silent or stalled clients, in milliseconds: longer than any machine needs for the test. */
const TIMEOUT_MS = 600_000;

/** A report of about 64 KiB, so that a client that does not read fills the network buffers soon. */
const LARGE = { currentUsers: Array.from({ length: 256 }, (_, index) => `${index} ${'u'.repeat(250)}`) };

/** Rounds of reports that a viewer must miss, and most rounds until then: many times what the network buffers hold. */
const MISSED_ROUNDS = 20;
const MOST_ROUNDS = 500;

describe('one connection never delays another', () => {
  const server = testServer();
  const tenant = testTenant(server);
  const keep = stopAfterEach();

  beforeAll(async () => {
    Object.assign(server.app.get(DeviceTimes), { answerMs: TIMEOUT_MS });
    limitHub(server, VIEWER_HUB_PATH, { drainTimeoutMs: TIMEOUT_MS });
  });

  async function agentOf(): Promise<FakeAgent> {
    return keep(await FakeAgent.online(server, await createKeyedDevice(server, tenant)));
  }

  async function viewer(): Promise<TestViewer> {
    const { headers } = await callerWith(server, tenant, [Permission.DeviceRead, Permission.DeviceTerminalUse], at.tenant(tenant));
    return keep(await TestViewer.connect(server, headers));
  }

  /** The duration of each of `count` heartbeats, in milliseconds. */
  async function heartbeatTimes(agent: FakeAgent, count: number): Promise<number[]> {
    const times: number[] = [];
    for (let index = 0; index < count; index += 1) {
      const start = performance.now();
      expect((await agent.heartbeat()).isSuccess).toBe(true);
      times.push(performance.now() - start);
    }
    return times;
  }

  it('a viewer that does not read gets only the newest state of each device later; others get everything at once', async () => {
    const agents = [await agentOf(), await agentOf()];
    const [slow, fast] = [await viewer(), await viewer()];
    const deviceIds = agents.map(({ device }) => device.id);
    for (const each of [slow, fast]) await each.call(viewerHub.SubscribeToDeviceHeartbeats2, { deviceIds });
    slow.stall();

    const [slowConnection] = hubsOf(server, VIEWER_HUB_PATH).flatMap((hub) => hub.connection(slow.connectionId) ?? []);
    const waits: number[] = [];
    let rounds = 0;
    // The number is not fixed, because network buffers differ between machines.
    for (let missed = 0; missed < MISSED_ROUNDS; missed = slowConnection.isCongested ? missed + 1 : 0) {
      rounds += 1;
      expect(rounds).toBeLessThan(MOST_ROUNDS);
      for (const [index, agent] of agents.entries()) {
        const start = performance.now();
        await agent.heartbeat({ ...LARGE, processorCount: rounds });
        const expected = (rounds - 1) * agents.length + index + 1;
        await eventually('the fast viewer hears of it', () => fast.updates.length >= expected);
        waits.push(performance.now() - start);
      }
    }
    expect(median(waits)).toBeLessThan(TYPICAL_WAIT_MS);
    expect(fast.updates).toHaveLength(rounds * agents.length);

    slow.readOn();
    const newest = (id: string): number | undefined => slow.updates.findLast((update) => update.id === id)?.processorCount;
    await eventually('the slow viewer has the newest state', () => deviceIds.every((id) => newest(id) === rounds));
    // Most of the missed reports were never stored for it.
    expect(slow.updates.length).toBeLessThan(fast.updates.length);
    for (const id of deviceIds) {
      const states = slow.updates.filter((update) => update.id === id).map(({ processorCount }) => processorCount);
      expect(states).toEqual(states.toSorted((a, b) => a - b));
    }
    await agents[0].heartbeat({ processorCount: 7 });
    await eventually('the slow viewer goes on', () => newest(deviceIds[0]) === 7);
  });

  it('an agent that floods a terminal without a reader is slowed down, and another one is answered as usual', async () => {
    const [flooding, quiet] = [await agentOf(), await agentOf()];
    flooding.on(agentClient.CreateTerminalSession, () => hubOk());
    const slow = await viewer();
    const terminalId = newGuid();
    await slow.call(viewerHub.CreateTerminalSession2, { deviceId: flooding.device.id, terminalId });
    const output = TerminalOutputDto.encode(
      { terminalId, output: 'x'.repeat(90_000), outputKind: TerminalOutputKind.StandardOutput, timestamp: Timestamp.fromDate(new Date()) },
      'json',
    );
    slow.stall();
    let answered = 0;
    const [senders, each] = [10, 30];
    const pieces = senders * each;
    // One after another: the client library would otherwise put them into one frame, which is larger than the server accepts.
    const sent = Array.from({ length: senders }, async () => {
      for (let piece = 0; piece < each; piece += 1) {
        await flooding.connection.invoke(agentHub.SendTerminalOutputToViewer.name, slow.connectionId, output);
        answered += 1;
      }
    });
    await eventually('the flood is held back', async () => {
      const before = answered;
      await heartbeatTimes(quiet, 5);
      return answered === before && answered < pieces;
    });
    expect(median(await heartbeatTimes(quiet, 50))).toBeLessThan(TYPICAL_WAIT_MS);
    slow.readOn();
    await Promise.all(sent);
    await eventually('nothing was lost', () => slow.outputs.length === pieces);
    expect(slow.isClosed).toBe(false);
  });

  it('a device that does not answer delays neither other devices nor its own reports', async () => {
    const [silent, lively] = [await agentOf(), await agentOf()];
    silent.answerRaw(agentClient.CreateTerminalSession, () => new Promise(() => undefined));
    lively.on(agentClient.CreateTerminalSession, () => hubOk());
    const caller = await viewer();
    const create = (agent: FakeAgent): Promise<unknown> =>
      caller.call(viewerHub.CreateTerminalSession2, { deviceId: agent.device.id, terminalId: newGuid() });
    let answered = 0;
    const waiting = Array.from({ length: 10 }, () => create(silent).finally(() => (answered += 1)));
    expect(await create(lively)).toMatchObject({ isSuccess: true });
    expect(median(await heartbeatTimes(silent, 10))).toBeLessThan(TYPICAL_WAIT_MS);
    expect(answered).toBe(0);
    silent.vanish();
    expect(await Promise.all(waiting)).toEqual(waiting.map(() => ({ isSuccess: false, reason: 'An error occurred.', errorCode: null })));
  });

  it('a stalled stream of a device delays only the streams of its own connection', async () => {
    const [streaming, quiet] = [await agentOf(), await agentOf()];
    const link = nodeOf(server, streaming.device.id).app.get(DeviceLink);
    streaming.on(agentClient.StreamFileContents, ({ streamId }) => {
      const stream = streaming.openStream(agentHub.SendFileContentStream, streamId);
      for (let index = 0; index < 200; index += 1) stream.send(new Uint8Array(30_000));
      stream.complete();
      return hubOk();
    });
    let read = 0;
    await link.openStream<Uint8Array, { isSuccess: boolean; reason: string | null; errorCode: string | null }, void>(
      streaming.device.id,
      'bytes',
      (invoke, streamId) => invoke(agentClient.StreamFileContents, [{ streamId, filePath: '/var/log/x' }]),
      async ({ items }) => {
        const iterator = items[Symbol.asyncIterator]();
        read += (await iterator.next()).value?.length ?? 0;
        // Nobody reads the stream during these heartbeats.
        expect(median(await heartbeatTimes(quiet, 50))).toBeLessThan(TYPICAL_WAIT_MS);
        for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) read += next.value.length;
      },
    );
    expect(read).toBe(200 * 30_000);
  });
});

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}
