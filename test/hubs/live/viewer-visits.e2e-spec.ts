import { afterEach, beforeEach, expect, it, vi } from 'vitest';

import { Logger } from '@nestjs/common';

import { viewerHub } from '#libs/contracts';

import { Permission } from '../../../src/access/authorization/permissions/permission.js';
import { eventually } from '../../support/eventually.js';
import { at, createDevice } from '../../support/fixtures/factories.js';
import { testServer, testTenant } from '../../support/setup/test-server.js';
import { callerWith, TestViewer } from '../viewer-client.js';

const server = testServer();
const tenant = testTenant(server);
let lines: Record<string, unknown>[];

beforeEach(() => {
  lines = [];
  vi.spyOn(Logger.prototype, 'log').mockImplementation(function (this: { context?: string }, line: Record<string, unknown>) {
    if (this.context === 'DeviceVisits') lines.push(line);
  });
});
afterEach(() => {
  vi.restoreAllMocks();
});

it('the log names each viewer that turns to a device, its acts there, and its leaving', async () => {
  // A visit has the seconds of this clock, however long the calls take.
  server.clock.stop();
  const { headers, account } = await callerWith(server, tenant, [Permission.DeviceRead], at.tenant(tenant));
  const viewer = await TestViewer.connect(server, headers);
  const [first, second] = [await createDevice(server, { tenantId: tenant.id }), await createDevice(server, { tenantId: tenant.id })];
  const who = { principal: account.id, connectionId: viewer.connectionId };

  await viewer.call(viewerHub.AddViewerActivity2, { activityName: 'too_early' });
  await viewer.call(viewerHub.StartDeviceAccessActivity2, { deviceId: first.id });
  await viewer.call(viewerHub.AddViewerActivity2, { activityName: 'send_clipboard_text' });
  await viewer.call(viewerHub.StartDeviceAccessActivity2, { deviceId: second.id });
  server.clock.advance(3_000);
  await viewer.call(viewerHub.DisposeDeviceAccessActivity);
  await viewer.call(viewerHub.DisposeDeviceAccessActivity);
  expect(lines).toEqual([
    { message: 'A viewer has turned to a device.', deviceId: first.id, ...who },
    { message: 'A viewer did something with a device.', step: 'send_clipboard_text', deviceId: first.id, ...who },
    { message: 'A viewer has turned away from a device.', deviceId: first.id, seconds: 0, ...who },
    { message: 'A viewer has turned to a device.', deviceId: second.id, ...who },
    { message: 'A viewer has turned away from a device.', deviceId: second.id, seconds: 3, ...who },
  ]);

  await viewer.call(viewerHub.StartDeviceAccessActivity2, { deviceId: second.id });
  await viewer.stop();
  await eventually('the visit ends with the connection', () => lines.length === 7);
});
