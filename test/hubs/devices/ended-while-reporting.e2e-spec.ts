import { expect, it, vi } from 'vitest';
import { Logger } from '@nestjs/common';

import { AgentVersion } from '../../../src/devices/agent-updates/agent-version.js';
import { DevicePresence } from '../../../src/devices/device-link/device-presence.js';
import { Device } from '../../../src/devices/devices/device.entity.js';
import { AcceptedUpdates, type AgentConnection } from '../../../src/devices/devices/updates/accepted-updates.js';
import { DeviceUpdatesService } from '../../../src/devices/devices/updates/device-updates.service.js';
import { deviceReport } from '../../support/devices/agents.js';
import { createDevice } from '../../support/fixtures/factories.js';
import { testServer, testTenant } from '../../support/setup/test-server.js';

const server = testServer();
const tenant = testTenant(server);

it.each(['can', 'cannot'])(
  'a device whose connection ends during its first report is offline, also if the answer %s be made',
  async (made) => {
    const device = await createDevice(server, { tenantId: tenant.id });
    const part = { connectionId: 'node.connection', remoteAddress: undefined, session: undefined, lastUpdate: undefined };
    const connection: AgentConnection = { ...part, isOpen: false };
    const [warn, version] = [vi.spyOn(Logger.prototype, 'warn'), vi.spyOn(AgentVersion.prototype, 'current')];
    try {
      warn.mockReturnValue(undefined);
      if (made === 'cannot') version.mockRejectedValueOnce(new Error('away'));
      // The end comes first, when the connection speaks for no device yet.
      await server.app.get(AcceptedUpdates, { strict: false }).disconnected(connection);
      const { result } = await server.app.get(DeviceUpdatesService, { strict: false }).acceptUnsigned(connection, deviceReport(device));
      expect(result.isSuccess).toBe(made === 'can');
    } finally {
      warn.mockRestore();
      version.mockRestore();
    }
    expect(server.app.get(DevicePresence, { strict: false }).connectionOf(device.id)).toBeUndefined();
    expect(await server.dataSource.manager.findOneBy(Device, { id: device.id })).toMatchObject({ isOnline: false, name: 'workshop-pc' });
  },
);
