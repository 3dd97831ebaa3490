import { describe, expect, it } from 'vitest';

import { agentClient, hubFailure, hubOk, PowerStateChangeType, viewerHub } from '#libs/contracts';

import { DeviceLink } from '../../src/devices/device-link/device-link.js';
import { DevicePresence } from '../../src/devices/device-link/device-presence.js';
import { ServiceLine } from '../../src/live/nodes/service-line.js';
import { messageOf } from '../../src/platform/common/errors/errors.js';
import { newGuid } from '../../src/platform/common/identifiers/guid.js';
import { ServerNode } from '../../src/platform/node/server-node.js';
import { TestViewer } from '../hubs/viewer-client.js';
import { createKeyedDevice, FakeAgent } from '../support/devices/agents.js';
import { eventually } from '../support/eventually.js';
import { TenantOfNodes } from './support/apart.js';
import { noNats } from './support/nats-server.js';
import { testNodes } from './support/test-nodes.js';

describe.skipIf(noNats !== undefined)('an agent that is connected to another node', () => {
  const nodes = testNodes(2);
  const scene = new TenantOfNodes(nodes);
  const greedy = new TenantOfNodes(nodes);

  it('answers calls of viewers', async () => {
    const { agent, viewer, deviceId } = await scene.apart();
    const taken: unknown[] = [];
    agent.on(agentClient.CreateTerminalSession, (terminalId, viewerConnectionId) => {
      taken.push([terminalId, viewerConnectionId]);
      return hubOk();
    });
    const terminalId = newGuid();
    const answer = await viewer.call(viewerHub.CreateTerminalSession2, { deviceId, terminalId });
    expect(answer).toMatchObject({ isSuccess: true });
    expect(taken).toEqual([[terminalId, viewer.connectionId]]);
  });

  it('passes its refusals on, word by word', async () => {
    const { agent, viewer, deviceId } = await scene.apart();
    agent.on(agentClient.CreateTerminalSession, () => hubFailure('There are too many terminals.'));
    const answer = await viewer.call(viewerHub.CreateTerminalSession2, { deviceId, terminalId: newGuid() });
    expect(answer).toMatchObject({ isSuccess: false, reason: 'There are too many terminals.' });
  });

  it('is called also while agents of another tenant answer none of its calls', async () => {
    const [silent, { agent, viewer, deviceId }] = [await greedy.apart(), await scene.apart()];
    silent.agent.on(agentClient.GetLogFiles, () => new Promise(() => undefined));
    agent.on(agentClient.CreateTerminalSession, () => hubOk());
    const device = await nodes.node(0).app.get(DeviceLink, { strict: false }).reach(silent.deviceId);
    const calls = Array.from({ length: 2_000 }, () => device.invoke(agentClient.GetLogFiles, [], 60_000).catch(messageOf));
    const answer = await viewer.call(viewerHub.CreateTerminalSession2, { deviceId, terminalId: newGuid() });
    expect(answer).toMatchObject({ isSuccess: true });
    await silent.agent.stop();
    expect(await Promise.all(calls)).toContain('Too many calls between nodes are under way.');
  });

  it('gets the inputs of a terminal in their order', async () => {
    const { agent, viewer, deviceId } = await scene.apart();
    const terminalId = newGuid();
    const inputs: string[] = [];
    agent.on(agentClient.CreateTerminalSession, () => hubOk());
    agent.on(agentClient.ReceiveTerminalInput, ({ input }) => {
      inputs.push(input);
      return hubOk();
    });
    await viewer.call(viewerHub.CreateTerminalSession2, { deviceId, terminalId });
    const sent = Array.from({ length: 1_000 }, (_, index) => String(index));
    const answers = await Promise.all(
      sent.map((input) => viewer.call(viewerHub.SendTerminalInput2, { deviceId, input: { terminalId, input, viewerConnectionId: null } })),
    );
    expect(answers.every(({ isSuccess }) => isSuccess)).toBe(true);
    expect(inputs).toEqual(sent);
  });

  it('gets calls that expect no answer', async () => {
    const { agent, viewer, deviceId } = await scene.apart();
    const changes: PowerStateChangeType[] = [];
    agent.on(agentClient.ReceivePowerStateChange, (change) => void changes.push(change));
    await viewer.call(viewerHub.SendPowerStateChange2, { deviceId, changeType: PowerStateChangeType.Restart });
    await eventually('the agent has the call', () => changes.length === 1);
  });

  it('closes the terminals of a viewer that leaves', async () => {
    const { agent, viewer, deviceId } = await scene.apart();
    const closed: string[] = [];
    agent.on(agentClient.CreateTerminalSession, () => hubOk());
    agent.on(agentClient.CloseTerminalSession, (id) => void closed.push(id));
    const terminalId = newGuid();
    await viewer.call(viewerHub.CreateTerminalSession2, { deviceId, terminalId });
    viewer.vanish();
    await eventually('the terminal is closed', () => closed.includes(terminalId));
  });

  it('is offline as soon as its connection has ended', async () => {
    const { agent, viewer, deviceId } = await scene.apart();
    agent.on(agentClient.CreateTerminalSession, () => hubOk());
    const open = () => viewer.call(viewerHub.CreateTerminalSession2, { deviceId, terminalId: newGuid() });
    expect(await open()).toMatchObject({ isSuccess: true });
    await agent.stop();
    await eventually('the call fails', async () => !(await open()).isSuccess);
  });

  it('is found again after it has moved to another node', async () => {
    const { agent, viewer, deviceId } = await scene.apart();
    agent.on(agentClient.CreateTerminalSession, () => hubOk());
    const open = () => viewer.call(viewerHub.CreateTerminalSession2, { deviceId, terminalId: newGuid() });
    expect(await open()).toMatchObject({ isSuccess: true });
    const moved = scene.keep(await FakeAgent.online(nodes.node(0), agent.device));
    let calls = 0;
    moved.on(agentClient.CreateTerminalSession, () => {
      calls += 1;
      return hubOk();
    });
    expect(await open()).toMatchObject({ isSuccess: true });
    expect(calls).toBe(1);
  });

  it('is still reached when its node hears late of a move that it has taken back', async () => {
    const { agent, viewer, deviceId } = await scene.apart();
    agent.on(agentClient.CreateTerminalSession, () => hubOk());
    const { calls } = nodes.node(0).app.get(ServiceLine, { strict: false });
    const { id } = nodes.node(1).app.get(ServerNode, { strict: false });
    await calls.call(id, 'Superseded', [deviceId, agent.connectionId], 5_000);
    expect(await viewer.call(viewerHub.CreateTerminalSession2, { deviceId, terminalId: newGuid() })).toMatchObject({ isSuccess: true });
  });

  it('does not get calls through a connection that is replaced by one to another node', async () => {
    const { agent, deviceId } = await scene.apart();
    const moved = scene.keep(await FakeAgent.online(nodes.node(0), agent.device));
    const taken: string[] = [];
    agent.on(agentClient.CreateTerminalSession, () => {
      taken.push('former');
      return hubOk();
    });
    moved.on(agentClient.CreateTerminalSession, () => {
      taken.push('present');
      return hubOk();
    });
    const presence = nodes.node(1).app.get(DevicePresence);
    await eventually('the former node has heard of it', () => presence.connectionOf(deviceId) === undefined);
    const viewer = scene.keep(await TestViewer.connect(nodes.node(1), scene.caller.headers));
    expect(await viewer.call(viewerHub.CreateTerminalSession2, { deviceId, terminalId: newGuid() })).toMatchObject({ isSuccess: true });
    // The last accepted report decides, also when it comes through the former connection again.
    expect(await agent.heartbeat()).toMatchObject({ isSuccess: true });
    await eventually('the present node has heard of it', () => nodes.node(0).app.get(DevicePresence).connectionOf(deviceId) === undefined);
    expect(await viewer.call(viewerHub.CreateTerminalSession2, { deviceId, terminalId: newGuid() })).toMatchObject({ isSuccess: true });
    expect(taken).toEqual(['present', 'former']);
  });

  it('is not reached any more once its device was deleted at this node', async () => {
    const { agent, viewer, deviceId } = await scene.apart();
    let calls = 0;
    agent.on(agentClient.CreateTerminalSession, () => {
      calls += 1;
      return hubOk();
    });
    await viewer.call(viewerHub.CreateTerminalSession2, { deviceId, terminalId: newGuid() });
    expect((await nodes.node(0).client().delete(`/api/v1/devices/${deviceId}`)).status).toBe(204);
    await eventually('its node has forgotten it', () => nodes.node(1).app.get(DevicePresence).connectionOf(deviceId) === undefined);
    expect(await viewer.call(viewerHub.CreateTerminalSession2, { deviceId, terminalId: newGuid() })).toMatchObject({ isSuccess: false });
    expect(calls).toBe(1);
  });

  it('cannot be reached while NATS is away, and can be as soon as it is back', async () => {
    const { agent, viewer, deviceId } = await scene.apart();
    agent.on(agentClient.CreateTerminalSession, () => hubOk());
    const here = scene.keep(await FakeAgent.online(nodes.node(0), await createKeyedDevice(nodes.node(0), scene.tenant)));
    here.on(agentClient.CreateTerminalSession, () => hubOk());
    const open = (id: string) => viewer.call(viewerHub.CreateTerminalSession2, { deviceId: id, terminalId: newGuid() });
    await nodes.nats.kill();
    await eventually('the calls fail', async () => !(await open(deviceId)).isSuccess);
    expect(await open(here.device.id)).toMatchObject({ isSuccess: true });
    const drives = await nodes
      .node(0)
      .client()
      .post('/api/v1/device-file-system/root-drives', {
        body: { deviceId },
        query: { tenantId: scene.tenant.id },
      });
    expect([drives.status, drives.headers.get('retry-after')]).toEqual([503, '2']);
    await nodes.nats.startAgain();
    await eventually('the calls arrive again', async () => (await open(deviceId)).isSuccess);
  });
});
