import { describe, expect, it } from 'vitest';

import { agentClient, agentHub, hubFailure, hubOk, hubValue, type DeviceInventoryDto, type InventoryReportDto } from '#libs/contracts';

import { Permission } from '../../../src/access/authorization/permissions/permission.js';
import { DeviceActivityKind } from '../../../src/devices/device-activity/device-activity-kinds.js';
import { DeviceActivity } from '../../../src/devices/device-activity/device-activity.entity.js';
import type { ReportedInventoryDto, RunningSessionsDto } from '../../../src/devices/inventory/reports/device-inventory.dto.js';
import { DeviceInventory } from '../../../src/devices/inventory/reports/device-inventory.entity.js';
import { newGuid } from '../../../src/platform/common/identifiers/guid.js';
import { accountWith } from '../../support/callers/callers.js';
import { createKeyedDevice, FakeAgent, ReferenceAgent } from '../../support/devices/agents.js';
import { eventually } from '../../support/eventually.js';
import { at, createDevice, createTenant } from '../../support/fixtures/factories.js';
import { stopAfterEach, testServer, testTenant } from '../../support/setup/test-server.js';
import { callAs } from '../matrix/agent-calls.js';

/** Time-out for a real agent, which waits up to half a minute before it reads the packages of this machine. */
const AGENT_MS = 180_000;

const INVENTORY: DeviceInventoryDto = {
  manufacturer: 'LENOVO',
  model: 'ThinkPad',
  serialNumber: 'PF3',
  firmware: 'N3M',
  processor: 'Intel',
  processorCores: 12,
  bootedAt: null,
  memorySlots: [{ name: 'DIMM A1', size: 16, type: 'DDR4', speed: 3200 }],
  softwareCount: 1,
  software: [{ name: 'bash', version: '5.2\0', publisher: `Half ${String.fromCharCode(0xd83d)}` }],
  updates: null,
};

describe('inventories of devices', () => {
  const server = testServer();
  const tenant = testTenant(server);
  const keep = stopAfterEach();
  const pathOf = (deviceId: string, rest = 'inventory'): string => `/api/inventory/devices/${deviceId}/${rest}`;

  const report = async (agent: FakeAgent, values: Partial<InventoryReportDto>): Promise<unknown> => {
    const { returns } = agentHub.ReportInventory;
    const answer = await callAs(agent, agentHub.ReportInventory, [{ deviceId: agent.device.id, hash: 'a', inventory: null, ...values }]);
    return returns.decode(answer, agent.encoding);
  };

  const online = async (of = tenant): Promise<FakeAgent> => keep(await FakeAgent.online(server, await createKeyedDevice(server, of)));

  it('come from a real agent, with the packages of its machine, and again when somebody asks', { timeout: AGENT_MS }, async () => {
    const agent = keep(await ReferenceAgent.start(server, await createKeyedDevice(server, tenant)));
    const { id } = agent.device;
    const path = pathOf(id);
    const read = async () => (await server.client().get(path)).as<ReportedInventoryDto>().inventory;
    await eventually('the agent reports its inventory', async () => (await read()) !== null, AGENT_MS);
    const inventory = await read();
    expect(inventory?.software?.length).toBe(inventory?.softwareCount);
    expect(inventory?.processor).toEqual(expect.any(String));

    await server.dataSource.manager.update(DeviceInventory, { deviceId: id }, { hash: 'another', software: [] });
    expect((await server.client().post(`${path}/refresh`)).status).toBe(204);
    expect((await read())?.software).toEqual(inventory?.software);
  });

  it('are taken once for each time that they are asked for', async () => {
    const agent = await online();
    expect(await report(agent, {})).toEqual(hubValue(true));
    const answers = await Promise.all(Array.from({ length: 20 }, () => report(agent, { inventory: INVENTORY })));
    const refused = hubFailure('The inventory was not asked for: send its hash first.');
    expect(answers).toEqual([hubValue(false), ...Array.from({ length: 19 }, () => refused)]);
  });

  it('of one tenant leave room for those of another, also when its agents send none', async () => {
    const greedy = await createTenant(server);
    for (let count = 0; count < 32; count += 1) await report(await online(greedy), {});
    const agent = await online();
    expect(await report(agent, {})).toEqual(hubValue(true));
    expect(await report(agent, { inventory: INVENTORY })).toEqual(hubValue(false));
  });

  it('are asked for by their hash first, and stored in place of the former ones', async () => {
    const agent = await online();
    const path = pathOf(agent.device.id);
    expect((await server.client().get(path)).body).toEqual({ inventory: null });
    expect(await report(agent, { inventory: INVENTORY })).toEqual(hubFailure('The inventory was not asked for: send its hash first.'));
    expect(await report(agent, {})).toEqual(hubValue(true));
    expect(await report(agent, { inventory: INVENTORY })).toEqual(hubValue(false));
    expect(await report(agent, {})).toEqual(hubValue(false));
    const stored = (await server.client().get(path)).as<ReportedInventoryDto>().inventory;
    expect(stored).toMatchObject({
      model: 'ThinkPad',
      software: [{ name: 'bash', version: '5.2', publisher: 'Half \ufffd' }],
      updates: null,
    });

    expect(await report(agent, { hash: 'b' })).toEqual(hubValue(true));
    await report(agent, { hash: 'b', inventory: { ...INVENTORY, model: 'Tower', software: null } });
    expect((await server.client().get(path)).body).toMatchObject({ inventory: { model: 'Tower', software: null } });
  });

  it('are confirmed by the same hash, but not at every connection', async () => {
    const agent = await online();
    await report(agent, {});
    await report(agent, { inventory: INVENTORY });
    const confirmedAt = async () =>
      (await server.dataSource.manager.findOneByOrFail(DeviceInventory, { deviceId: agent.device.id })).confirmedAt;
    const first = await confirmedAt();
    await report(agent, {});
    expect(await confirmedAt()).toEqual(first);
    const dayBefore = new Date(first.getTime() - 24 * 60 * 60 * 1000);
    await server.dataSource.manager.update(DeviceInventory, { deviceId: agent.device.id }, { confirmedAt: dayBefore });
    await report(agent, {});
    expect((await confirmedAt()).getTime()).toBeGreaterThan(dayBefore.getTime());
  });

  it('are never asked for from agents that do not offer it, so that other agents notice nothing', async () => {
    const agent = await online();
    let calls = 0;
    agent.on(agentClient.RequestInventory, () => {
      calls += 1;
      return hubOk();
    });
    const refresh = () => server.client().post(`${pathOf(agent.device.id)}/refresh`);
    const refused = await refresh();
    expect([refused.status, refused.body]).toEqual([409, expect.objectContaining({ detail: expect.stringContaining('no inventory') })]);
    expect(calls).toBe(0);
    await callAs(agent, agentHub.OfferFeatures, [['RequestInventory']]);
    expect((await refresh()).status).toBe(204);
    expect(calls).toBe(1);
  });

  it('are read within their tenant, with device.overview.read', async () => {
    const agent = await online();
    await report(agent, {});
    await report(agent, { inventory: INVENTORY });
    const other = await createTenant(server);
    const stranger = await accountWith(server, other, [Permission.DeviceOverviewRead, at.tenant(other)]);
    expect((await stranger.get(pathOf(agent.device.id))).status).toBe(404);
    const reader = await accountWith(server, tenant, [Permission.DeviceRead, at.tenant(tenant)]);
    expect((await reader.get(pathOf(agent.device.id))).status).toBe(403);
  });

  it('stand beside the sessions that run on the device, and no others', async () => {
    const device = await createDevice(server, { tenantId: tenant.id });
    const record = (values: Partial<DeviceActivity>) =>
      server.dataSource.manager.insert(DeviceActivity, {
        id: newGuid(),
        tenantId: tenant.id,
        deviceId: device.id,
        kind: DeviceActivityKind.Terminal,
        principalKind: 'User',
        principalId: newGuid(),
        principalName: 'anna',
        correlationId: 'c',
        nodeId: 'n',
        startedAt: new Date(),
        ...values,
      });
    await record({});
    await record({ kind: DeviceActivityKind.Upload, principalName: 'uploads' });
    await record({ endedAt: new Date(), principalName: 'ended' });
    await record({ tenantId: (await createTenant(server)).id, principalName: 'before it moved' });
    const answer = await server.client().get(pathOf(device.id, 'sessions'));
    expect(answer.as<RunningSessionsDto>().items).toEqual([
      {
        id: expect.any(String),
        kind: 'Terminal',
        principalName: 'anna',
        isOwn: false,
        startedAt: expect.any(String),
        desktopSession: null,
        isViewOnly: null,
        canBeEnded: false,
      },
    ]);
  });
});
