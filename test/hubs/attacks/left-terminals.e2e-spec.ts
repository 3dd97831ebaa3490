/*
 * A viewer opens all terminals that a device has and leaves, by closing its connection, by vanishing, or because its rights end. Each
 * terminal is a process on the device. They must be free for others at once, not only when the device finds them idle.
 */
import { describe, expect, it } from 'vitest';

import { agentClient, hubOk, viewerHub } from '#libs/contracts';

import { Permission } from '../../../src/access/authorization/permissions/permission.js';
import { newGuid } from '../../../src/platform/common/identifiers/guid.js';
import { createKeyedDevice, FakeAgent, ReferenceAgent } from '../../support/devices/agents.js';
import { eventually } from '../../support/eventually.js';
import { at } from '../../support/fixtures/factories.js';
import { stopAfterEach, testServer, testTenant } from '../../support/setup/test-server.js';
import { callerWith, TestViewer, type Caller } from '../viewer-client.js';

/** Most terminals of the reference agent. */
const TERMINALS = 32;

describe('terminals that are left', () => {
  const server = testServer();
  const tenant = testTenant(server);
  const keep = stopAfterEach();

  const caller = (): Promise<Caller> => callerWith(server, tenant, [Permission.DeviceTerminalUse], at.tenant(tenant));

  async function connect({ headers }: Caller): Promise<TestViewer> {
    return keep(await TestViewer.connect(server, headers));
  }

  async function open(viewer: TestViewer, deviceId: string, terminalId = newGuid()): Promise<string> {
    const answer = await viewer.call(viewerHub.CreateTerminalSession2, { deviceId, terminalId });
    expect(answer).toMatchObject({ isSuccess: true, reason: null });
    return terminalId;
  }

  async function fakeAgent(): Promise<{ deviceId: string; closed: Set<string> }> {
    const device = await createKeyedDevice(server, tenant);
    const agent = keep(await FakeAgent.online(server, device));
    const closed = new Set<string>();
    agent.on(agentClient.CreateTerminalSession, () => hubOk());
    agent.on(agentClient.CloseTerminalSession, (terminalId) => void closed.add(terminalId));
    return { deviceId: device.id, closed };
  }

  it.each<[string, (viewer: TestViewer, caller: Caller) => Promise<void> | void]>([
    ['vanishes', (viewer) => viewer.vanish()],
    ['disconnects', (viewer) => viewer.stop()],
    [
      'loses the permission',
      async (_viewer, { account }) => {
        await server.dataSource.query('DELETE FROM permission_assignments WHERE principal_id = $1', [account.id]);
      },
    ],
    [
      'loses its credential',
      async (_viewer, { account }) => {
        await server.dataSource.query('DELETE FROM service_account_credentials WHERE service_account_id = $1', [account.id]);
      },
    ],
    [
      'loses its account',
      async (_viewer, { account }) => {
        await server.dataSource.query('DELETE FROM service_accounts WHERE id = $1', [account.id]);
      },
    ],
  ])('are closed on the device when their viewer %s', async (_how, leave) => {
    const { deviceId, closed } = await fakeAgent();
    const leaving = await caller();
    const viewer = await connect(leaving);
    const terminals = new Set<string>();
    for (let opened = 0; opened < TERMINALS; opened += 1) terminals.add(await open(viewer, deviceId));
    expect(closed.size).toBe(0);
    await leave(viewer, leaving);
    await eventually('all are closed', () => closed.size === TERMINALS);
    expect(closed).toEqual(terminals);
  });

  it('stay open for another viewer that has taken them over', async () => {
    const { deviceId, closed } = await fakeAgent();
    const [first, second] = [await connect(await caller()), await connect(await caller())];
    const [left, taken] = [await open(first, deviceId), await open(first, deviceId)];
    await open(second, deviceId, taken);
    first.vanish();
    await eventually('the one that was left is closed', () => closed.has(left));
    expect(closed).toEqual(new Set([left]));
    second.vanish();
    await eventually('the other one is closed, too', () => closed.has(taken));
  });

  it('make room on the reference agent', async () => {
    const device = await createKeyedDevice(server, tenant);
    const agent = keep(await ReferenceAgent.start(server, device));
    const leaving = await connect(await caller());
    for (let opened = 0; opened < TERMINALS; opened += 1) await open(leaving, device.id);
    const viewer = await connect(await caller());
    const attempt = (): Promise<{ isSuccess: boolean; reason: string | null }> =>
      viewer.call(viewerHub.CreateTerminalSession2, { deviceId: device.id, terminalId: newGuid() });
    expect(await attempt()).toMatchObject({ isSuccess: false });
    leaving.vanish();
    await eventually('a terminal is free', async () => (await attempt()).isSuccess);
    expect(agent.device.id).toBe(device.id);
  });
});
