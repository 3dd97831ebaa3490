import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Logger } from '@nestjs/common';

import { viewerHub } from '#libs/contracts';

import { Permission } from '../../../src/access/authorization/permissions/permission.js';
import { newGuid } from '../../../src/platform/common/identifiers/guid.js';
import { at, createDevice } from '../../support/fixtures/factories.js';
import { stopAfterEach, testServer, testTenant } from '../../support/setup/test-server.js';
import { callerWith, TestViewer } from '../viewer-client.js';

describe('the log of refusals', () => {
  const server = testServer();
  const tenant = testTenant(server);
  const keep = stopAfterEach();
  let lines: unknown[];

  beforeEach(() => {
    lines = [];
    Logger.overrideLogger({ log: () => undefined, error: () => undefined, warn: (entry: unknown) => void lines.push(entry) });
  });

  afterEach(() => Logger.overrideLogger(false));

  it('names principal, device and request of a refused request, once', async () => {
    const device = await createDevice(server, { tenantId: tenant.id });
    const { account, headers } = await callerWith(server, tenant, [Permission.DeviceRead], at.tenant(tenant));
    const answers = [];
    for (let count = 0; count < 3; count += 1) {
      answers.push(await server.client(headers).get(`/api/v1/device-file-system/logs/${device.id}`, { query: { tenantId: tenant.id } }));
    }
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403]);
    expect(lines).toEqual([
      {
        message: 'A call was refused.',
        reason: 'The permission device.logs.read is required.',
        source: account.id,
        principal: account.id,
        deviceId: device.id,
        requestId: answers[0].headers.get('x-request-id'),
        method: 'GET',
        path: `/api/v1/device-file-system/logs/${device.id}`,
      },
    ]);
  });

  it('names those of a refused call over the viewer hub, once', async () => {
    const device = await createDevice(server, { tenantId: tenant.id });
    const { account, headers } = await callerWith(server, tenant, [Permission.DeviceRead], at.tenant(tenant));
    const viewer = keep(await TestViewer.connect(server, headers));
    const open = () => viewer.call(viewerHub.CreateTerminalSession2, { deviceId: device.id, terminalId: newGuid() });
    for (const answer of [await open(), await open()]) expect(answer).toMatchObject({ isSuccess: false });
    expect(lines).toEqual([
      {
        message: 'A call was refused.',
        reason: expect.any(String),
        source: account.id,
        principal: account.id,
        deviceId: device.id,
        method: 'CreateTerminalSession2',
        connectionId: viewer.connectionId,
      },
    ]);
  });

  it('names the address of a viewer that did not authenticate', async () => {
    await expect(TestViewer.connect(server, { 'x-api-key': `${'0'.repeat(32)}:guessed` })).rejects.toThrow('401');
    expect(lines).toEqual([
      expect.objectContaining({
        message: 'An authentication failed.',
        source: '127.0.0.1',
        path: '/hubs/viewer',
        requestId: expect.any(String),
      }),
    ]);
  });
});
