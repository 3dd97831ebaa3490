/*
 * Anybody may connect as an agent. Here one address opens as many connections as it can and reports nothing, so that it keeps the
 * server busy. Devices behind the same address must still get in: a connection that reports for a registered device does not count.
 */
import { beforeEach, describe, expect, it } from 'vitest';

import type { HubLimits } from '#libs/signalr';

import { AGENT_HUB_PATH } from '../../../src/platform/common/addresses/hub-paths.js';
import { createKeyedDevice, FakeAgent } from '../../support/devices/agents.js';
import { eventually } from '../../support/eventually.js';
import { stopAfterEach, testServer, testTenant } from '../../support/setup/test-server.js';
import { hubOf, RawClient, upgrade } from './raw-hub-client.js';

const MOST = 5;
const LIMIT: Partial<HubLimits> = { maximumUnauthenticatedPerSource: MOST };

describe('anonymous agent connections of one address', () => {
  const server = testServer();
  const tenant = testTenant(server);
  const keep = stopAfterEach();

  beforeEach(async () => {
    const hub = hubOf(server, AGENT_HUB_PATH);
    Object.assign(hub.limits, LIMIT);
    await eventually('the connections of earlier tests have ended', () => hub.size === 0);
  });

  async function mayEnter(): Promise<boolean> {
    const answer = await upgrade(server, AGENT_HUB_PATH);
    answer.destroy();
    return !('statusCode' in answer);
  }

  it('are refused beyond a number, with the advice to come back, until one of them ends', async () => {
    const strangers: RawClient[] = [];
    for (let opened = 0; opened < MOST; opened += 1) strangers.push(keep(await RawClient.connect(server, AGENT_HUB_PATH)));
    const refused = await upgrade(server, AGENT_HUB_PATH);
    expect(refused).toMatchObject({ statusCode: 503, headers: { 'retry-after': '1' } });
    await strangers[0].stop();
    await eventually('there is room again', mayEnter);
  });

  it('count from the WebSocket on, also without a handshake', async () => {
    for (let opened = 0; opened < MOST; opened += 1) keep(await RawClient.open(server, AGENT_HUB_PATH));
    expect(await mayEnter()).toBe(false);
  });

  it('count no more once they have reported for a registered device', async () => {
    for (let joined = 0; joined < 3 * MOST; joined += 1) {
      keep(await FakeAgent.online(server, await createKeyedDevice(server, tenant)));
    }
    const forged = await createKeyedDevice(server, tenant);
    for (let opened = 0; opened < MOST; opened += 1) {
      const liar = keep(await FakeAgent.connect(server, { ...forged, id: tenant.id }));
      expect((await liar.heartbeat()).isSuccess).toBe(false);
    }
    expect(await mayEnter()).toBe(false);
  });

  it('let all devices of a company in when they come back at once', async () => {
    const devices = await Promise.all(Array.from({ length: 10 * MOST }, () => createKeyedDevice(server, tenant)));
    let refusals = 0;
    await Promise.all(
      devices.map((device) =>
        eventually('the device is let in', async () => {
          // The official client does not say why it was refused. An error that persists fails the test at the deadline.
          const agent = await FakeAgent.online(server, device).catch(() => null);
          if (agent === null) refusals += 1;
          else keep(agent);
          return agent !== null;
        }),
      ),
    );
    expect(refusals).toBeGreaterThan(0);
  });
});
