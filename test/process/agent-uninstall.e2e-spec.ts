import { existsSync } from 'node:fs';

import { expect, it } from 'vitest';

import { agentClient } from '#libs/contracts';

import { DeviceLink } from '../../src/devices/device-link/device-link.js';
import { createKeyedDevice, ReferenceAgent, waitOffline } from '../support/devices/agents.js';
import { createTenant } from '../support/fixtures/factories.js';
import { testServer } from '../support/setup/test-server.js';

const server = testServer();

it('an agent that is told to uninstall itself has done so when its process ends', async () => {
  const device = await createKeyedDevice(server, await createTenant(server));
  const agent = await ReferenceAgent.start(server, device);
  await (await server.app.get(DeviceLink).reach(device.id)).send(agentClient.UninstallAgent, 'Retired.');
  expect(await agent.untilEnd()).toBe(0);
  expect(existsSync(agent.dataDirectory)).toBe(false);
  await waitOffline(server, device.id);
  await agent.stop();
});
