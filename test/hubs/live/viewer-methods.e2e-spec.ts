import { once } from 'node:events';

import { beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';

import { agentClient, hubFailure, hubOk, viewerHub, type Encoding } from '#libs/contracts';

import { Permission, type PermissionDefinition } from '../../../src/access/authorization/permissions/permission.js';
import { VIEWER_HUB_PATH } from '../../../src/platform/common/addresses/hub-paths.js';
import { newGuid } from '../../../src/platform/common/identifiers/guid.js';
import { createKeyedDevice, FakeAgent, waitOffline, type KeyedDevice } from '../../support/devices/agents.js';
import { eventually } from '../../support/eventually.js';
import { at, createServiceAccountWithKey, grant, holder } from '../../support/fixtures/factories.js';
import { testServer, testTenant } from '../../support/setup/test-server.js';
import { callerWith, TestViewer } from '../viewer-client.js';

const TERMINAL_ID = newGuid();
const succeeded = { isSuccess: true, reason: null, errorCode: null };
const failed = (reason: string): object => ({ isSuccess: false, reason, errorCode: null });
const accessOf = (...allowed: string[]): object =>
  Object.fromEntries(
    [
      'canViewOverview',
      'canUseRemoteControl',
      'canUseTerminal',
      'canUseChat',
      'canReadFileSystem',
      'canReadLogs',
      'canUseVncRelay',
      'canInteractWithRemoteControl',
      'canBlockRemoteInput',
      'canReadClipboard',
      'canWriteClipboard',
      'canSendCtrlAltDel',
    ].map((name) => [name, allowed.includes(name)]),
  );

/* Answers to viewers beyond the matrix of all methods (matrix/viewer-hub.e2e-spec.ts). */

const DEVICE_PERMISSIONS = Object.values<PermissionDefinition>(Permission).filter(({ name }) => name.startsWith('device.'));

describe.each<Encoding>(['json', 'messagepack'])('viewer methods in %s', (encoding) => {
  const server = testServer();
  const tenant = testTenant(server);
  let device: KeyedDevice;
  const viewers = new Map<string, TestViewer>();

  beforeAll(async () => {
    device = await createKeyedDevice(server, tenant);
    server.alsoStop(await FakeAgent.online(server, device, encoding)).on(agentClient.RefreshDeviceInfo, () => undefined);
  });

  /** A connected viewer with these permissions in the tenant. It is created once. */
  async function viewerWith(permissions: readonly PermissionDefinition[]): Promise<TestViewer> {
    const key = permissions.map(({ name }) => name).join();
    const known = viewers.get(key);
    if (known !== undefined) return known;
    const { headers } = await callerWith(server, tenant, permissions, at.tenant(tenant));
    const viewer = server.alsoStop(await TestViewer.connect(server, headers, encoding));
    viewers.set(key, viewer);
    return viewer;
  }

  it('answer each of the twelve permissions correctly', async () => {
    const some = [
      Permission.DeviceRead,
      Permission.DeviceOverviewRead,
      Permission.DeviceTerminalUse,
      Permission.DeviceClipboardRead,
      Permission.DeviceCtrlAltDelSend,
    ];
    const viewer = await viewerWith(some);
    const { value } = await viewer.call(viewerHub.GetDeviceAccessPermissions2, { deviceId: device.id });
    expect(value).toEqual(accessOf('canViewOverview', 'canUseTerminal', 'canReadClipboard', 'canSendCtrlAltDel'));
    const all = await (await viewerWith(DEVICE_PERMISSIONS)).call(viewerHub.GetDeviceAccessPermissions2, { deviceId: device.id });
    expect(Object.values(all.value ?? {})).toEqual(Array.from({ length: 12 }, () => true));
  });

  it('pass on the answer of the agent, or a reason of their own when it is unusable', async () => {
    const moody = await createKeyedDevice(server, tenant);
    const moodyAgent = await FakeAgent.online(server, moody, encoding);
    const viewer = await viewerWith([Permission.DeviceTerminalUse]);
    const create = (): Promise<unknown> => viewer.call(viewerHub.CreateTerminalSession2, { deviceId: moody.id, terminalId: TERMINAL_ID });
    moodyAgent.on(agentClient.CreateTerminalSession, () => hubFailure('Too many terminals.'));
    expect(await create()).toEqual(failed('Too many terminals.'));
    for (const answer of [() => null, () => 'yes', () => ({ isSuccess: 'perhaps', IsSuccess: 'perhaps' })]) {
      moodyAgent.answerRaw(agentClient.CreateTerminalSession, answer);
      expect(await create()).toEqual(failed('An error occurred.'));
    }
    moodyAgent.answerRaw(agentClient.CreateTerminalSession, () => ({}));
    expect(await create()).toEqual(failed('The operation failed.'));
    moodyAgent.answerRaw(agentClient.CreateTerminalSession, () => {
      throw new Error('secret of the agent');
    });
    expect(await create()).toEqual(failed('An error occurred.'));
    moodyAgent.answerRaw(agentClient.CreateTerminalSession, () => {
      moodyAgent.vanish();
      return hubOk();
    });
    expect(await create()).toEqual(failed('An error occurred.'));
    await waitOffline(server, moody.id);
  });

  it('respect a grant and a revocation with the next call', async () => {
    const caller = await callerWith(server, tenant, [], at.tenant(tenant));
    const viewer = await TestViewer.connect(server, caller.headers, encoding);
    const refresh = (): Promise<unknown> => viewer.call(viewerHub.RefreshDeviceInfo2, { deviceId: device.id });
    expect(await refresh()).toEqual(failed('Forbidden.'));
    const path = '/api/v1/permission-assignments';
    const created = await server.client().post(path, {
      query: { tenantId: tenant.id },
      body: {
        principalKind: 'ServiceAccount',
        principalId: caller.account.id,
        permissionName: 'device.read',
        effect: 'Allow',
        scopeKind: 'Device',
        scopeId: device.id,
        isEnabled: true,
      },
    });
    expect(created.status).toBe(201);
    expect(await refresh()).toEqual(succeeded);
    const { id } = created.as<{ id: string }>();
    expect((await server.client().delete(`${path}/${id}`, { query: { tenantId: tenant.id } })).status).toBe(204);
    expect(await refresh()).toEqual(failed('Forbidden.'));
    await viewer.stop();
  });

  it('disconnect a viewer whose credential was revoked with its next call', async () => {
    const { account, credential, key } = await createServiceAccountWithKey(server);
    await grant(server, { principal: holder.serviceAccount(account), permission: Permission.DeviceRead, scope: at.server });
    const viewer = await TestViewer.connect(server, { 'x-api-key': key }, encoding);
    expect(await viewer.call(viewerHub.RefreshDeviceInfo2, { deviceId: device.id })).toEqual(succeeded);
    const path = `/api/v1/server-service-accounts/${account.id}/credentials/${credential.id}`;
    expect((await server.client().delete(path)).status).toBe(204);
    // The answer and the end of the connection may arrive in either order.
    await viewer.call(viewerHub.RefreshDeviceInfo2, { deviceId: device.id }).catch(() => undefined);
    await eventually('the viewer is disconnected', () => viewer.isClosed);
  });

  it('refuse invalid arguments, and stay connected', async () => {
    const viewer = await viewerWith([Permission.DeviceRead]);
    const { connection } = viewer;
    await expect(connection.invoke('RefreshDeviceInfo2', {})).resolves.toMatchObject(
      encoding === 'json' ? { reason: 'Forbidden.' } : { Reason: 'Forbidden.' },
    );
    await expect(connection.invoke('RefreshDeviceInfo2', null)).rejects.toThrow('must be an object');
    await expect(connection.invoke('RefreshDeviceInfo', 'no guid')).rejects.toThrow('must be a GUID');
    await expect(connection.invoke('GetActiveDesktopSessions2')).rejects.toThrow('takes 1 argument(s), not 0');
    expect(await viewer.call(viewerHub.RefreshDeviceInfo2, { deviceId: device.id })).toEqual(succeeded);
  });
});

describe('a wrapped message for an agent', () => {
  const server = testServer();
  const tenant = testTenant(server);

  it.each([5n, 2n ** 53n + 1n, 2n ** 63n - 1n, -(2n ** 63n)])('keeps all digits of its time in JSON: %s', async (sendTimestamp) => {
    const device = await createKeyedDevice(server, tenant);
    const agent = server.alsoStop(await FakeAgent.online(server, device));
    const frames = agent.readFrames();
    const { headers } = await callerWith(server, tenant, [Permission.DeviceRead], at.tenant(tenant));
    // The client library writes no such numbers.
    const viewer = new WebSocket(`${server.url.replace('http', 'ws')}${VIEWER_HUB_PATH}`, { headers });
    await once(viewer, 'open');
    const wrapper = `{"dtoType":"Ack","payload":"AQ==","sendTimestamp":${sendTimestamp}}`;
    const call = `{"type":1,"target":"SendDtoToAgent","arguments":[{"deviceId":"${device.id}","wrapper":${wrapper}}]}`;
    viewer.send(`{"protocol":"json","version":1}\x1e${call}\x1e`);
    await expect.poll(() => frames.join('')).toContain(`"arguments":[${wrapper}]`);
    viewer.terminate();
  });
});
