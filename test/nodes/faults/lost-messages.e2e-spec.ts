import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';

import { agentClient, hubOk, viewerHub } from '#libs/contracts';

import { newGuid } from '../../../src/platform/common/identifiers/guid.js';
import { eventually } from '../../support/eventually.js';
import { portToKeep } from '../../support/processes/service-process.js';
import { type Apart, openTerminal, print, TenantOfNodes } from '../support/apart.js';
import { noNats, type NatsServer } from '../support/nats-server.js';
import { startNats } from '../support/node-options.js';
import { StallingProxy } from '../support/stalling-proxy.js';
import { testNodes } from '../support/test-nodes.js';

/*
 * Two servers of NATS lose each other for a moment, with one message between them. Each node keeps its connection, and hears the other one
 * again before it counts as missing.
 */

/** Longest wait, in milliseconds: much less than the time that an agent, or a viewer, has to answer. */
const WITHIN_MS = 15_000;
const NOT_REACHED = { isSuccess: false, reason: 'Agent could not be reached.' };

describe.skipIf(noNats !== undefined)('a message that is lost between servers of NATS', () => {
  const nodes = testNodes(2);
  const scene = new TenantOfNodes(nodes);
  let second: NatsServer;
  let proxy: StallingProxy;
  let apart: Apart;
  let terminalId: string;
  const typed: string[] = [];

  nodes.startNats = async () => {
    const [port, ownPort] = [await portToKeep(), await portToKeep()];
    second = await startNats(['--cluster_name', 'devices', '--cluster', `nats://127.0.0.1:${port}`]);
    proxy = await StallingProxy.to(port);
    nodes.others = { Service_Nodes__Nats: second.url };
    return startNats(['--cluster_name', 'devices', '--cluster', `nats://127.0.0.1:${ownPort}`, '--routes', proxy.url]);
  };

  afterAll(async () => {
    await second.kill();
    await proxy.stop();
  });

  beforeEach(async () => {
    apart = await scene.apart();
    typed.splice(0);
    apart.agent.on(agentClient.CreateTerminalSession, () => hubOk());
    apart.agent.on(agentClient.ReceiveTerminalInput, ({ input }) => {
      typed.push(input);
      return hubOk();
    });
    terminalId = newGuid();
    await eventually('the servers have found each other', () => openTerminal(apart, terminalId));
    await apart.viewer.call(viewerHub.SubscribeToDeviceHeartbeats2, { deviceIds: [apart.deviceId] });
  });

  afterEach(() => expect(proxy.losesAt).toBeNull());

  function type(input: string): Promise<{ readonly isSuccess: boolean; readonly reason: string | null }> {
    const request = { deviceId: apart.deviceId, input: { terminalId, input, viewerConnectionId: null } };
    return apart.viewer.call(viewerHub.SendTerminalInput2, request);
  }

  const lose = (text: string): void => void (proxy.losesAt = Buffer.from(text, 'latin1'));

  it('with what was typed is noticed long before the time of the agent is over, and not typed later', { timeout: WITHIN_MS }, async () => {
    lose('lost input');
    expect(await type('lost input')).toMatchObject(NOT_REACHED);
    await eventually('input comes', async () => (await type('next input')).isSuccess);
    expect(typed).not.toContain('lost input');
  });

  it('with an answer is noticed as well', { timeout: WITHIN_MS }, async () => {
    apart.agent.on(agentClient.ReceiveTerminalInput, () => {
      lose('the answer');
      return { isSuccess: false, reason: 'the answer', errorCode: null };
    });
    expect(await type('input')).toMatchObject(NOT_REACHED);
  });

  it('takes nothing from a call that the agent has not answered yet', { timeout: WITHIN_MS }, async () => {
    let answer: () => void = () => undefined;
    const answered = new Promise<void>((resolve) => (answer = resolve));
    apart.agent.on(agentClient.ReceiveTerminalInput, async ({ input }) => {
      typed.push(input);
      if (input === 'slow input') await answered;
      return hubOk();
    });
    const slow = type('slow input');
    await eventually('it has come', () => typed.includes('slow input'));
    const next = await scene.viewer();
    lose('lost input');
    const request = { deviceId: apart.deviceId, input: { terminalId, input: 'lost input', viewerConnectionId: null } };
    expect(await next.call(viewerHub.SendTerminalInput2, request)).toMatchObject(NOT_REACHED);
    answer();
    expect((await slow).isSuccess).toBe(true);
  });

  it('with output is sent again: all of it is shown, once and in order', { timeout: WITHIN_MS }, async () => {
    await print(apart, terminalId, '0');
    lose('lost output');
    const outputs = ['lost output', '2', '3'];
    await Promise.all(outputs.map((output) => print(apart, terminalId, output)));
    await eventually('all is shown', () => apart.viewer.outputs.length >= 4);
    expect(apart.viewer.outputs.map(({ output }) => output)).toEqual(['0', ...outputs]);
  });

  it('about a change of a device is noticed: viewers see the change', { timeout: WITHIN_MS }, async () => {
    await apart.agent.heartbeat({ cpuUtilization: 0.25 });
    await eventually('the report is shown', () => apart.viewer.updates.at(-1)?.cpuUtilization === 0.25);
    proxy.losesAt = Buffer.from(apart.deviceId.replaceAll('-', ''), 'hex');
    await apart.agent.heartbeat({ cpuUtilization: 0.5 });
    await eventually('the newest report is shown', () => apart.viewer.updates.at(-1)?.cpuUtilization === 0.5, WITHIN_MS);
  });
});
