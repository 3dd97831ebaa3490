import { beforeAll, describe, expect, it } from 'vitest';

import { agentClient, hubFailure, hubOk, PowerStateChangeType, viewerHub } from '#libs/contracts';

import { Permission } from '../../src/access/authorization/permissions/permission.js';
import { newGuid } from '../../src/platform/common/identifiers/guid.js';
import type { Tenant } from '../../src/tenants/tenants/tenant.entity.js';
import { callerWith, TestViewer, type Caller } from '../hubs/viewer-client.js';
import { createKeyedDevice, FakeAgent, waitOnline } from '../support/devices/agents.js';
import { eventually } from '../support/eventually.js';
import { at, createTenant } from '../support/fixtures/factories.js';
import { stopAfterEach } from '../support/setup/test-server.js';
import { noNats } from './nats-server.js';
import { testNodes } from './test-nodes.js';

describe.skipIf(noNats !== undefined)('an agent that is connected to another node', () => {
  const nodes = testNodes(2);
  const keep = stopAfterEach();
  let tenant: Tenant;
  let caller: Caller;

  beforeAll(async () => {
    tenant = await createTenant(nodes.node(0));
    const all = [Permission.DeviceTerminalUse, Permission.DevicePowerManage, Permission.DeviceRead];
    caller = await callerWith(nodes.node(0), tenant, all, at.tenant(tenant));
  });

  /** A device whose agent is connected to one node, and a viewer at the other one. */
  async function apart(): Promise<{ agent: FakeAgent; viewer: TestViewer; deviceId: string }> {
    const device = await createKeyedDevice(nodes.node(0), tenant);
    const agent = keep(await FakeAgent.online(nodes.node(1), device));
    await waitOnline(nodes.node(1), device.id);
    const viewer = keep(await TestViewer.connect(nodes.node(0), caller.headers));
    return { agent, viewer, deviceId: device.id };
  }

  it('answers calls of viewers', async () => {
    const { agent, viewer, deviceId } = await apart();
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
    const { agent, viewer, deviceId } = await apart();
    agent.on(agentClient.CreateTerminalSession, () => hubFailure('There are too many terminals.'));
    const answer = await viewer.call(viewerHub.CreateTerminalSession2, { deviceId, terminalId: newGuid() });
    expect(answer).toMatchObject({ isSuccess: false, reason: 'There are too many terminals.' });
  });

  it('gets the inputs of a terminal in their order', async () => {
    const { agent, viewer, deviceId } = await apart();
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
    const { agent, viewer, deviceId } = await apart();
    const changes: PowerStateChangeType[] = [];
    agent.on(agentClient.ReceivePowerStateChange, (change) => void changes.push(change));
    await viewer.call(viewerHub.SendPowerStateChange2, { deviceId, changeType: PowerStateChangeType.Restart });
    await eventually('the agent has the call', () => changes.length === 1);
  });

  it('closes the terminals of a viewer that leaves', async () => {
    const { agent, viewer, deviceId } = await apart();
    const closed: string[] = [];
    agent.on(agentClient.CreateTerminalSession, () => hubOk());
    agent.on(agentClient.CloseTerminalSession, (id) => void closed.push(id));
    const terminalId = newGuid();
    await viewer.call(viewerHub.CreateTerminalSession2, { deviceId, terminalId });
    viewer.vanish();
    await eventually('the terminal is closed', () => closed.includes(terminalId));
  });

  it('is offline as soon as its connection has ended', async () => {
    const { agent, viewer, deviceId } = await apart();
    agent.on(agentClient.CreateTerminalSession, () => hubOk());
    const open = () => viewer.call(viewerHub.CreateTerminalSession2, { deviceId, terminalId: newGuid() });
    expect(await open()).toMatchObject({ isSuccess: true });
    await agent.stop();
    await eventually('the call fails', async () => !(await open()).isSuccess);
  });

  it('is found again after it has moved to another node', async () => {
    const { agent, viewer, deviceId } = await apart();
    agent.on(agentClient.CreateTerminalSession, () => hubOk());
    const open = () => viewer.call(viewerHub.CreateTerminalSession2, { deviceId, terminalId: newGuid() });
    expect(await open()).toMatchObject({ isSuccess: true });
    const moved = keep(await FakeAgent.online(nodes.node(0), agent.device));
    let calls = 0;
    moved.on(agentClient.CreateTerminalSession, () => {
      calls += 1;
      return hubOk();
    });
    expect(await open()).toMatchObject({ isSuccess: true });
    expect(calls).toBe(1);
  });
});
