/*
 * A client without any credential connects as an agent and sends calls as fast as they are taken: thousands in each frame, of methods
 * that do not exist, or with arguments that do not fit. Each is refused at once, and nothing but their number makes them a burden.
 * The commands of others must take about as long as always.
 */
import { beforeAll, describe, expect, it } from 'vitest';

import { agentClient, agentHub, hubOk, viewerHub } from '#libs/contracts';

import { Permission } from '../../../src/access/authorization/permissions/permission.js';
import { AGENT_HUB_PATH } from '../../../src/platform/common/addresses/hub-paths.js';
import { newGuid } from '../../../src/platform/common/identifiers/guid.js';
import { createKeyedDevice, FakeAgent } from '../../support/devices/agents.js';
import { at } from '../../support/fixtures/factories.js';
import { stopAfterEach, testServer, testTenant } from '../../support/setup/test-server.js';
import { callerWith, TestViewer } from '../viewer-client.js';
import { frameOf, limitHub, RawClient } from './raw-hub-client.js';

const ROUND_TRIPS = 100;
/** Most that others typically wait, as a multiple of that in quiet. Test and server share a process; without turns it is a hundredfold. */
const MOST_FACTOR = 20;
const CALLS_IN_A_FRAME = 10_000;
/** Time for the attacker to stay, in milliseconds: longer than any machine needs for a test. */
const UNAUTHENTICATED_TIMEOUT_MS = 600_000;

describe('calls that are refused at once, by the thousand', () => {
  const server = testServer();
  const tenant = testTenant(server);
  const keep = stopAfterEach();

  beforeAll(() => {
    limitHub(server, AGENT_HUB_PATH, { unauthenticatedTimeoutMs: UNAUTHENTICATED_TIMEOUT_MS });
  });

  async function roundTrip(viewer: TestViewer, deviceId: string): Promise<void> {
    const answer = await viewer.call(viewerHub.CreateTerminalSession2, { deviceId, terminalId: newGuid() });
    expect(answer.isSuccess).toBe(true);
  }

  async function medianRoundTrip(viewer: TestViewer, deviceId: string): Promise<number> {
    const times: number[] = [];
    for (let trip = 0; trip < ROUND_TRIPS; trip += 1) {
      const start = processorMs();
      await roundTrip(viewer, deviceId);
      times.push(processorMs() - start);
    }
    return times.toSorted((a, b) => a - b)[ROUND_TRIPS / 2];
  }

  /** Returns the number of round trips that take no longer than they may. Gives up when all of them together have taken what they may. */
  async function timelyRoundTrips(viewer: TestViewer, deviceId: string, mostMs: number): Promise<number> {
    let timely = 0;
    const end = processorMs() + ROUND_TRIPS * mostMs;
    for (let trip = 0; trip < ROUND_TRIPS && processorMs() < end; trip += 1) {
      const start = processorMs();
      await roundTrip(viewer, deviceId);
      if (processorMs() - start <= mostMs) timely += 1;
    }
    return timely;
  }

  const callsOf = (record: object): Buffer => frameOf(...Array.from({ length: CALLS_IN_A_FRAME }, () => record));

  it.each<[string, Buffer]>([
    ['unknown methods', callsOf({ type: 1, target: 'NoSuchMethod', arguments: [] })],
    ['wrong arguments', callsOf({ type: 1, target: agentHub.UpdateDeviceSigned.name, arguments: [] })],
    ['items of no stream', callsOf({ type: 2, invocationId: 'none', item: 1 })],
  ])('do not delay others: %s', async (_what, bytes) => {
    const agent = keep(await FakeAgent.online(server, await createKeyedDevice(server, tenant)));
    agent.on(agentClient.CreateTerminalSession, () => hubOk()).on(agentClient.CloseTerminalSession, () => undefined);
    const { headers } = await callerWith(server, tenant, [Permission.DeviceTerminalUse], at.tenant(tenant));
    const viewer = keep(await TestViewer.connect(server, headers));
    await medianRoundTrip(viewer, agent.device.id);

    const quiet = await medianRoundTrip(viewer, agent.device.id);
    const attacker = keep(await RawClient.connect(server, AGENT_HUB_PATH));
    const end = attacker.flood(bytes);
    const timely = await timelyRoundTrips(viewer, agent.device.id, quiet * MOST_FACTOR).finally(end);
    expect(attacker.isClosed).toBe(false);
    const what = `calls of others that take less than ${MOST_FACTOR} times as long as in quiet, of ${ROUND_TRIPS}`;
    expect(timely, what).toBeGreaterThan(ROUND_TRIPS / 2);
  });
});

/**
 * The processor time that this process has used, in milliseconds. While the attacker keeps it busy, it is the wait of others, without
 * the time of other programs of the machine.
 */
function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
