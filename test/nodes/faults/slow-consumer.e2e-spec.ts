import { connect, type NatsConnection } from '@nats-io/transport-node';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { agentClient, hubOk, viewerHub } from '#libs/contracts';

import { newGuid } from '../../../src/platform/common/identifiers/guid.js';
import { ServerNode } from '../../../src/platform/node/server-node.js';
import { eventually } from '../../support/eventually.js';
import { type Apart, openTerminal, print, TenantOfNodes } from '../support/apart.js';
import { noNats } from '../support/nats-server.js';
import { NATS_LOGIN } from '../support/node-options.js';
import { testNodes } from '../support/test-nodes.js';
import { StallingProxy } from '../support/stalling-proxy.js';

/*
 * A node does not read what NATS has for it, until NATS cuts it off. The others go on, and it comes back by itself.
 */

/** Bytes for which NATS does not wait: more than its limit, and than the buffers of sockets hold. */
const FLOOD_BYTES = 48 * 1_024 * 1_024;
const MESSAGE = Buffer.alloc(1_024 * 1_024);

describe.skipIf(noNats !== undefined)('a node that does not read what NATS has for it', () => {
  const nodes = testNodes(2);
  const scene = new TenantOfNodes(nodes);
  let proxy: StallingProxy;
  let flooding: NatsConnection;
  let apart: Apart;
  let terminalId: string;

  beforeAll(async () => {
    flooding = await connect({ servers: nodes.nats.url, ...NATS_LOGIN });
  });

  afterAll(async () => {
    await flooding.close();
    await proxy.stop();
  });

  nodes.behind = async (nats) => {
    proxy = await StallingProxy.to(nats.port);
    return { Service_Nodes__Nats: proxy.url };
  };

  beforeEach(async () => {
    apart = await scene.apart();
    apart.agent.on(agentClient.CreateTerminalSession, () => hubOk());
    terminalId = newGuid();
    await eventually('the terminal is opened', () => openTerminal(apart, terminalId));
  });

  const idOf = (number: number): string => nodes.node(number).app.get(ServerNode, { strict: false }).id;

  /** Has the viewer watch the device, and expects that the reports of its agent are shown. */
  async function expectShown(cpuUtilization: number): Promise<void> {
    await apart.agent.heartbeat({ cpuUtilization });
    await eventually('the newest report is shown', () => apart.viewer.updates.at(-1)?.cpuUtilization === cpuUtilization);
  }

  /** Expects that all is as before: calls, outputs without a gap or a repeat, and pushes. */
  async function expectBack(): Promise<void> {
    await eventually('the device is reached', () => openTerminal(apart, newGuid()));
    await print(apart, terminalId, '3');
    await eventually('all has arrived', () => apart.viewer.outputs.length >= 4);
    expect(apart.viewer.outputs.map(({ output }) => output)).toEqual(['0', '1', '2', '3']);
    await expectShown(0.75);
  }

  it('is cut off, comes back, and misses nothing that lasts', async () => {
    await apart.viewer.call(viewerHub.SubscribeToDeviceHeartbeats2, { deviceIds: [apart.deviceId] });
    await print(apart, terminalId, '0');
    await expectShown(0.25);
    const before = proxy.connections;
    proxy.stall(idOf(0));
    await apart.agent.heartbeat({ cpuUtilization: 0.5 });
    const outputs = Promise.all([print(apart, terminalId, '1'), print(apart, terminalId, '2')]);
    for (let sent = 0; sent < FLOOD_BYTES; sent += MESSAGE.length) {
      flooding.publish('dm.1.changed', MESSAGE);
      await flooding.flush();
    }
    await eventually('NATS has cut it off, and it has connected again', () => proxy.connections > before);
    await outputs;
    await eventually('it has the newest state', () => apart.viewer.updates.at(-1)?.cpuUtilization === 0.5);
    await expectBack();
  });

  it('is cut off with the agents that it has: viewers elsewhere see what they reported', async () => {
    await apart.viewer.call(viewerHub.SubscribeToDeviceHeartbeats2, { deviceIds: [apart.deviceId] });
    await print(apart, terminalId, '0');
    const before = proxy.connections;
    proxy.stall(idOf(1), 'both');
    await apart.agent.heartbeat({ cpuUtilization: 0.5 });
    const outputs = Promise.all([print(apart, terminalId, '1'), print(apart, terminalId, '2')]);
    await eventually('it has connected again', () => proxy.connections > before);
    await outputs;
    await eventually('the newest state is shown', () => apart.viewer.updates.at(-1)?.cpuUtilization === 0.5);
    await expectBack();
  });
});
