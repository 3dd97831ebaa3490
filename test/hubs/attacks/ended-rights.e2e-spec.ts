/*
 * A caller holds on to what a right once opened: an idle connection, a subscription, a terminal. The right ends in one of the ways in
 * which rights end, and the holder does nothing that would be checked. Whatever it holds has to end by itself.
 */
import { describe, expect, it } from 'vitest';
import { HubConnectionState } from '@microsoft/signalr';

import { agentClient, hubOk, viewerHub } from '#libs/contracts';

import { Permission } from '../../../src/access/authorization/permissions/permission.js';
import { PersonalAccessTokenPermissionMode } from '../../../src/people/personal-access-tokens/personal-access-token.entity.js';
import { newGuid } from '../../../src/platform/common/identifiers/guid.js';
import { createKeyedDevice, FakeAgent } from '../../support/devices/agents.js';
import { eventually } from '../../support/eventually.js';
import {
  at,
  createPersonalAccessToken,
  createServiceAccountWithKey,
  createTenant,
  createUser,
  grant,
  holder,
} from '../../support/fixtures/factories.js';
import { stopAfterEach, testServer } from '../../support/setup/test-server.js';
import { TestViewer } from '../viewer-client.js';

const EXPIRES_AFTER_MS = 3_600_000;
/** A second is what is promised. The rest is for a machine that has much else to do. */
const ENDS_WITHIN_MS = 20_000;

describe('access that a viewer holds', () => {
  const server = testServer();
  const keep = stopAfterEach();

  /** A viewer with a terminal on a device that it subscribed to, and another viewer of the device that keeps its rights. */
  async function scene() {
    const tenant = await createTenant(server);
    const device = await createKeyedDevice(server, tenant);
    const agent = keep(await FakeAgent.online(server, device));
    const closed: string[] = [];
    agent.on(agentClient.CreateTerminalSession, () => hubOk());
    agent.on(agentClient.CloseTerminalSession, (id) => void closed.push(id));
    const expiresAt = new Date(server.clock.milliseconds() + EXPIRES_AFTER_MS);
    const { account, credential, key } = await createServiceAccountWithKey(server, {}, { expiresAt });
    const principal = holder.serviceAccount(account);
    for (const permission of [Permission.DeviceRead, Permission.DeviceTerminalUse]) {
      await grant(server, { principal, permission, scope: at.device(device) });
    }
    const viewer = keep(await TestViewer.connect(server, { 'x-api-key': key }));
    const terminalId = newGuid();
    await viewer.call(viewerHub.SubscribeToDeviceHeartbeats2, { deviceIds: [device.id] });
    const opened = await viewer.call(viewerHub.CreateTerminalSession2, { deviceId: device.id, terminalId });
    expect([opened.isSuccess, closed]).toEqual([true, []]);
    return { tenant, device, agent, closed, account, credential, viewer, terminalId };
  }

  type Scene = Awaited<ReturnType<typeof scene>>;

  /** The terminal has been closed on the device, or the device itself was cut off. */
  async function expectTerminalEnds({ agent, closed, terminalId }: Scene): Promise<void> {
    await eventually('the terminal ends', () => closed.includes(terminalId) || agent.connection.state !== HubConnectionState.Connected);
  }

  it.each<[string, (scene: Scene) => Promise<unknown>]>([
    ['credential', ({ credential }) => server.dataSource.query('DELETE FROM service_account_credentials WHERE id = $1', [credential.id])],
    [
      'credential, by revoking it',
      ({ credential }) =>
        server.dataSource.query('UPDATE service_account_credentials SET revoked_at = now() WHERE id = $1', [credential.id]),
    ],
    ['account', ({ account }) => server.dataSource.query('DELETE FROM service_accounts WHERE id = $1', [account.id])],
    [
      'account, by disabling it',
      ({ account }) => server.dataSource.query('UPDATE service_accounts SET is_enabled = false WHERE id = $1', [account.id]),
    ],
  ])('ends with its %s: the terminal and the connection', async (_what, take) => {
    const held = await scene();
    await take(held);
    await expectTerminalEnds(held);
    await eventually('the connection ends', () => held.viewer.isClosed);
  });

  it('ends with the token that its own token was made with', async () => {
    const { tenant, device, agent, closed, viewer: bystander, terminalId: theirs } = await scene();
    const user = await createUser(server, { tenantId: tenant.id });
    await grant(server, { principal: holder.user(user), permission: Permission.DeviceTerminalUse, scope: at.device(device) });
    const permissionMode = PersonalAccessTokenPermissionMode.InheritOwner;
    const { token: stolen } = await createPersonalAccessToken(server, user, { permissionMode });
    const { token: between } = await createPersonalAccessToken(server, user, { permissionMode, madeWithCredentialId: stolen.id });
    const { key } = await createPersonalAccessToken(server, user, { permissionMode, madeWithCredentialId: between.id });
    const viewer = keep(await TestViewer.connect(server, { 'x-personal-token': key }));
    const terminalId = newGuid();
    expect((await viewer.call(viewerHub.CreateTerminalSession2, { deviceId: device.id, terminalId })).isSuccess).toBe(true);

    const deleted = await server.client().delete(`/api/v1/users/${user.id}/personal-access-tokens/${stolen.id}`, {
      query: { tenantId: tenant.id },
    });
    expect(deleted.status).toBe(204);
    await eventually('the terminal ends', () => closed.includes(terminalId), ENDS_WITHIN_MS);
    await eventually('the connection ends', () => viewer.isClosed, ENDS_WITHIN_MS);
    expect([closed.includes(theirs), bystander.isClosed, agent.connection.state]).toEqual([false, false, HubConnectionState.Connected]);
  });

  it('ends when its credential expires', async () => {
    const held = await scene();
    server.clock.advance(EXPIRES_AFTER_MS + 1);
    await eventually('the connection ends', () => held.viewer.isClosed);
    await expectTerminalEnds(held);
    server.clock.advance(-EXPIRES_AFTER_MS - 1);
  });

  it.each<[string, (scene: Scene) => Promise<unknown>]>([
    ['permission', ({ account }) => server.dataSource.query('DELETE FROM permission_assignments WHERE principal_id = $1', [account.id])],
    ['device', ({ device }) => server.client().delete(`/api/v1/devices/${device.id}`)],
    ['tenant', ({ tenant }) => server.client().delete(`/api/v1/tenants/${tenant.id}`)],
  ])('ends with its %s: the terminal and the subscription', async (_what, take) => {
    const held = await scene();
    await held.agent.heartbeat();
    await eventually('the subscription lives', () => held.viewer.updates.length > 0);
    await take(held);
    await expectTerminalEnds(held);
    const heard = async (): Promise<boolean> => {
      const before = held.viewer.updates.length;
      await held.agent.heartbeat({ processorCount: before }).catch(() => undefined);
      // An answer travels behind what was pushed before it.
      await held.viewer.call(viewerHub.UnsubscribeFromDeviceHeartbeats2, { deviceIds: [] });
      return held.viewer.updates.length > before;
    };
    await eventually('nothing is heard of the device', async () => !(await heard()));
    expect(await heard()).toBe(false);
    expect(held.viewer.isClosed).toBe(false);
  });
});
