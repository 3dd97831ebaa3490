import { utils } from '@noble/ed25519';

import type { Encoding } from '#libs/contracts';

import type { Device } from '../../src/devices/devices/device.entity.js';
import { AGENT_HUB_PATH } from '../../src/platform/common/addresses/hub-paths.js';
import { newGuid } from '../../src/platform/common/identifiers/guid.js';
import type { Tenant } from '../../src/tenants/tenants/tenant.entity.js';
import type { TestApp } from '../support/application/app.js';
import { createKeyedDevice, FakeAgent, type KeyedDevice } from '../support/devices/agents.js';
import { stopAfterEach } from '../support/setup/test-server.js';
import { hubsOf } from './attacks/raw-hub-client.js';

interface TestAgents {
  /** A new device of the tenant, with a key. */
  readonly newDevice: (values?: Partial<Device>) => Promise<KeyedDevice>;
  /** An agent that is connected and has sent nothing yet. */
  readonly connected: (device: KeyedDevice, encoding?: Encoding) => Promise<FakeAgent>;
  /** An agent whose first update was accepted. */
  readonly online: (device: KeyedDevice, encoding?: Encoding) => Promise<FakeAgent>;
}

/** Makes devices of the tenant and their agents, which stop after each test. Part of the prelude (test-server.ts). */
export function testAgents(server: TestApp, tenant: Tenant): TestAgents {
  const keep = stopAfterEach();
  return {
    newDevice: (values = {}) => createKeyedDevice(server, tenant, values),
    connected: async (device, encoding) => keep(await FakeAgent.connect(server, device, encoding)),
    online: async (device, encoding) => keep(await FakeAgent.online(server, device, encoding)),
  };
}

/** A device that the server has never seen. */
export function unregisteredDevice(tenantId: string): KeyedDevice {
  return { id: newGuid(), tenantId, seed: utils.randomSecretKey(), publicKey: '' };
}

/** Returns the number of connected agents. */
export function connectedAgents(server: TestApp): number {
  return hubsOf(server, AGENT_HUB_PATH).reduce((sum, { size }) => sum + size, 0);
}
