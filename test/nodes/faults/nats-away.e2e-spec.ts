import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';

import { HttpTransportType, HubConnectionBuilder, LogLevel, type HubConnection } from '@microsoft/signalr';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import { Permission } from '../../../src/access/authorization/permissions/permission.js';
import { VIEWER_HUB_PATH } from '../../../src/platform/common/addresses/hub-paths.js';
import { newMeeting, RelayPeer, relayUri } from '../../hubs/relay-peer.js';
import { callerWith, type Caller } from '../../hubs/viewer-client.js';
import { ROOT_KEY } from '../../support/application/app.js';
import { registerKeyedDevice } from '../../support/devices/agents.js';
import { enrol, type Enrolment } from '../../support/devices/reporting-device.js';
import { eventually } from '../../support/eventually.js';
import { at } from '../../support/fixtures/factories.js';
import { Balancer } from '../support/balancer.js';
import { LoadedDevice } from '../load/loaded-device.js';
import { LoadedFiles } from '../load/loaded-files.js';
import type { LoadedNodes } from '../load/loaded-nodes.js';
import { LoadedTags } from '../load/loaded-tags.js';
import { LoadedTerminal } from '../load/loaded-terminal.js';
import { Repetition } from '../load/repetition.js';
import { noNats } from '../support/nats-server.js';
import { testNodes } from '../support/test-nodes.js';
import { isLong } from '../../support/rounds.js';

/* While NATS is away, nothing fails but calls to agents of other nodes: not what is done on one node, and no bytes between nodes. */

/** Time for which NATS is away: longer than nodes wait for it. The fault itself: nothing tells that it has lasted long enough. */
const AWAY_MS = isLong ? 60_000 : 8_000;
const RELAYED_BYTES = 65_536;

describe.skipIf(noNats !== undefined)('while NATS is away', () => {
  const nodes = testNodes(2);
  const stopping: { stop(): Promise<unknown> }[] = [];
  let enrolment: Enrolment;
  let caller: Caller;
  let balancer: Balancer;

  beforeAll(async () => {
    enrolment = await enrol(nodes.node(0).client());
    const tenant = { id: enrolment.tenantId };
    caller = await callerWith(nodes.node(0), tenant, [Permission.DeviceVncRelayConnect, Permission.DeviceRead], at.tenant(tenant));
    balancer = await Balancer.inFrontOf(nodes.all.map(({ url }) => url));
  });

  afterEach(async () => {
    for (const each of stopping.splice(0).reverse()) await each.stop();
  });

  afterAll(() => balancer.stop());

  function keep<T extends { stop(): Promise<unknown> }>(started: T): T {
    stopping.push(started);
    return started;
  }

  const only = (number: number): LoadedNodes => ({
    next: () => nodes.node(number).url,
    headers: { 'x-api-key': ROOT_KEY },
    enrolment,
    stoodStill: () => false,
  });

  async function deviceAt(number: number): Promise<LoadedDevice> {
    return keep(new LoadedDevice(only(number), await registerKeyedDevice(nodes.node(0).client(), enrolment)));
  }

  /** Connects two halves that arrive at different nodes, and passes bytes. True if they came back as they were. */
  async function relay(first: number): Promise<boolean> {
    const meeting = newMeeting();
    const viewer = new RelayPeer(relayUri(nodes.node(first), meeting, 'requester'), caller.headers);
    const device = new RelayPeer(relayUri(nodes.node(1 - first), meeting, 'responder'));
    try {
      await Promise.all([viewer.opened(), device.opened()]);
      const bytes = randomBytes(RELAYED_BYTES);
      viewer.socket.send(bytes);
      await eventually('the bytes have arrived', () => device.received === RELAYED_BYTES);
      return device.messages[0].equals(bytes);
    } finally {
      await viewer.stop();
      await device.stop();
    }
  }

  /** A connection whose requests go to both nodes in turn. */
  async function polling(): Promise<HubConnection> {
    const connection = new HubConnectionBuilder()
      .withUrl(`${balancer.url}${VIEWER_HUB_PATH}`, { transport: HttpTransportType.LongPolling, headers: caller.headers })
      .configureLogging(LogLevel.None)
      .build();
    await connection.start();
    return keep(connection);
  }

  /** Begins all work that needs no NATS. */
  async function begin(): Promise<readonly Repetition[]> {
    const [own, other] = [await deviceAt(0), await deviceAt(1)];
    expect([await own.report(1), await other.report(1)]).toEqual([true, true]);
    const terminal = keep(new LoadedTerminal(only(0), own));
    const [ownFiles, otherFiles] = [new LoadedFiles(only(0), own), new LoadedFiles(only(0), other)];
    const tags = [0, 1].map((number) => new LoadedTags(only(number), `${own.id} ${number}`));
    const connection = await polling();
    const deviceIds = { deviceIds: [own.id] };
    const works: readonly [string, (number: number) => Promise<boolean>][] = [
      ['reports', (number) => own.report(number + 1)],
      ['reports at the other node', (number) => other.report(number + 1)],
      ['terminal', () => terminal.type()],
      ['uploads', (number) => ownFiles.upload(number)],
      ['downloads', (number) => ownFiles.download(number)],
      ['uploads to the other node', (number) => otherFiles.upload(number)],
      ['downloads from the other node', (number) => otherFiles.download(number)],
      ['writes', (number) => tags[0].create(number)],
      ['writes at the other node', (number) => tags[1].create(number)],
      ['relay', (number) => relay(number % 2)],
      ['long polling', () => connection.invoke('SubscribeToDeviceHeartbeats2', deviceIds).then(() => true)],
    ];
    return works.map(([name, act]) => keep(new Repetition(name, act)));
  }

  async function expectNoFailure(works: readonly Repetition[]): Promise<void> {
    const done = works.map((work) => work.done);
    await eventually('all goes on', () => works.every((work, index) => work.failures.length > 0 || work.done > done[index]));
    expect(works.flatMap(({ failures }) => failures)).toEqual([]);
  }

  it('because it has ended', async () => {
    const works = await begin();
    await expectNoFailure(works);
    await nodes.nats.kill();
    await delay(AWAY_MS);
    await expectNoFailure(works);
    await nodes.nats.startAgain();
    await expectNoFailure(works);
  });

  it('because it stands still', async () => {
    const works = await begin();
    await expectNoFailure(works);
    await nodes.nats.freeze();
    await delay(AWAY_MS);
    await expectNoFailure(works);
    nodes.nats.thaw();
    await expectNoFailure(works);
  });
});
