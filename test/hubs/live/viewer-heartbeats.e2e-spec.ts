import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { Logger } from '@nestjs/common';

import { viewerHub, type DeviceResponseDto, type Encoding } from '#libs/contracts';

import { Permission } from '../../../src/access/authorization/permissions/permission.js';
import { StandingRights } from '../../../src/access/authorization/revocation/standing-rights.js';
import { KnownDevicesRepository } from '../../../src/devices/devices/updates/known-devices.repository.js';
import type { PermissionAssignment } from '../../../src/access/permission-assignments/permission-assignment.entity.js';
import { newGuid } from '../../../src/platform/common/identifiers/guid.js';
import { InvalidationBus } from '../../../src/platform/database/invalidation/invalidation-bus.js';
import { createKeyedDevice, FakeAgent, type KeyedDevice, waitOffline } from '../../support/devices/agents.js';
import { eventually } from '../../support/eventually.js';
import { at, createDevice, createServiceAccountWithKey, createTenant, grant, holder } from '../../support/fixtures/factories.js';
import { stopAfterEach, testServer, testTenant } from '../../support/setup/test-server.js';
import { callerWith, TestViewer } from '../viewer-client.js';

const succeeded = { isSuccess: true, reason: null, errorCode: null };

describe('heartbeat subscriptions', () => {
  const server = testServer();
  const tenant = testTenant(server);
  const keep = stopAfterEach();

  async function viewerOf(headers: Record<string, string>, encoding?: Encoding): Promise<TestViewer> {
    return keep(await TestViewer.connect(server, headers, encoding));
  }

  /** A viewer that may read every device of the tenant. */
  async function reader(encoding?: Encoding): Promise<TestViewer> {
    return viewerOf((await callerWith(server, tenant, [Permission.DeviceRead], at.tenant(tenant))).headers, encoding);
  }

  async function onlineDevice(): Promise<{ device: KeyedDevice; agent: FakeAgent }> {
    const device = await createKeyedDevice(server, tenant);
    const agent = keep(await FakeAgent.online(server, device));
    return { device, agent };
  }

  const subscribe = (viewer: TestViewer, ...deviceIds: string[]): Promise<unknown> =>
    viewer.call(viewerHub.SubscribeToDeviceHeartbeats2, { deviceIds });

  const pushesOf = (viewer: TestViewer, { id }: { readonly id: string }): number =>
    viewer.updates.filter((update) => update.id === id).length;

  /** Returns true if a report of the quiet device reaches the viewer. The known device reports after it, and its report must arrive. */
  async function hears(
    viewer: TestViewer,
    quiet: { device: KeyedDevice; agent: FakeAgent },
    known: { device: KeyedDevice; agent: FakeAgent },
  ): Promise<boolean> {
    const [before, heard] = [pushesOf(viewer, quiet.device), pushesOf(viewer, known.device)];
    await quiet.agent.heartbeat();
    await known.agent.heartbeat();
    await eventually('the known device is heard of', () => pushesOf(viewer, known.device) > heard);
    return pushesOf(viewer, quiet.device) > before;
  }

  describe.each<Encoding>(['json', 'messagepack'])('in %s', (encoding) => {
    it('push the whole device after an update, after a change of its alias and when it goes offline', async () => {
      const { device, agent } = await onlineDevice();
      const viewer = await reader(encoding);
      expect(await subscribe(viewer, device.id)).toEqual(succeeded);

      const { value } = await agent.heartbeat({ cpuUtilization: 0.75, drives: [] });
      const last = (): DeviceResponseDto | undefined => viewer.updates.at(-1);
      await eventually('the update is pushed', () => last()?.cpuUtilization === 0.75);
      expect(last()).toEqual(value);
      expect(last()).toMatchObject({ id: device.id, isOnline: true, cpuUtilization: 0.75, connectionId: agent.connectionId });

      const renamed = await server.client().patch(`/api/v1/devices/${device.id}/alias`, { body: { deviceId: device.id, alias: 'Till 3' } });
      expect(renamed.status).toBe(200);
      await eventually('the alias is pushed', () => last()?.alias === 'Till 3');
      expect(last()).toMatchObject({ id: device.id, isOnline: true });

      agent.vanish();
      await eventually('the end is pushed', () => last()?.isOnline === false);
      expect(last()).toMatchObject({ id: device.id, alias: 'Till 3', connectionId: '' });
      // Nodes push states, which they may repeat.
      if (server.nodes.length === 1) expect(viewer.updates).toHaveLength(3);
    });
  });

  it('let a device that goes offline be read only if it is watched', async () => {
    const [watched, other] = [await onlineDevice(), await onlineDevice()];
    const viewer = await reader();
    await subscribe(viewer, watched.device.id);
    const read = vi.spyOn(server.app.get(KnownDevicesRepository, { strict: false }), 'read');
    onTestFinished(() => read.mockRestore());
    other.agent.vanish();
    await waitOffline(server, other.device.id);
    watched.agent.vanish();
    await eventually('the end is pushed', () => viewer.updates.at(-1)?.isOnline === false);
    expect(read.mock.calls).toEqual([[watched.device.id]]);
  });

  it('push nothing after a refused update', async () => {
    const [first, second] = [await onlineDevice(), await onlineDevice()];
    const viewer = await reader();
    await subscribe(viewer, first.device.id, second.device.id);
    const forged = { ...first.device, seed: second.device.seed };
    const thief = keep(await FakeAgent.connect(server, forged));
    expect((await thief.heartbeat()).isSuccess).toBe(false);
    await second.agent.heartbeat();
    await eventually('the other device is heard of', () => pushesOf(viewer, second.device) === 1);
    expect(pushesOf(viewer, first.device)).toBe(0);
  });

  it('accept at most 100 ids in one call, in both forms', async () => {
    const viewer = await reader();
    const ids = (count: number): string[] => Array.from({ length: count }, newGuid);
    for (const result of [
      await viewer.call(viewerHub.SubscribeToDeviceHeartbeats2, { deviceIds: ids(101) }),
      await viewer.call(viewerHub.SubscribeToDeviceHeartbeats, ids(101)),
    ]) {
      expect(result).toMatchObject({ isSuccess: false, reason: expect.stringMatching(/^Too many device IDs/) });
    }
    expect(await subscribe(viewer, ...ids(100))).toEqual(succeeded);
    expect(await viewer.call(viewerHub.SubscribeToDeviceHeartbeats, [])).toEqual(succeeded);
    expect(await subscribe(viewer)).toEqual(succeeded);
  });

  it('skip devices that are unknown or must not be read, and succeed for the others', async () => {
    const [own, other] = [await onlineDevice(), await onlineDevice()];
    const elsewhere = await createTenant(server);
    const foreign = await createKeyedDevice(server, elsewhere);
    const foreignAgent = keep(await FakeAgent.online(server, foreign));
    const viewer = await viewerOf((await callerWith(server, tenant, [Permission.DeviceRead], at.device(own.device))).headers);
    expect(await subscribe(viewer, newGuid(), other.device.id, foreign.id, own.device.id)).toEqual(succeeded);
    await foreignAgent.heartbeat();
    expect(await hears(viewer, other, own)).toBe(false);
    expect(pushesOf(viewer, foreign)).toBe(0);
  });

  it('count duplicates once, and add up over several calls', async () => {
    const [first, second] = [await onlineDevice(), await onlineDevice()];
    const viewer = await reader();
    await subscribe(viewer, first.device.id, first.device.id.toUpperCase(), first.device.id);
    await viewer.call(viewerHub.SubscribeToDeviceHeartbeats, [first.device.id]);
    await subscribe(viewer, second.device.id);
    expect(await hears(viewer, first, second)).toBe(true);
    expect(pushesOf(viewer, first.device)).toBe(1);
  });

  it('end when the viewer unsubscribes, in both forms, which needs no permission and never fails', async () => {
    const [first, second, third] = [await onlineDevice(), await onlineDevice(), await onlineDevice()];
    const viewer = await reader();
    await subscribe(viewer, first.device.id, second.device.id, third.device.id);
    const result = await viewer.call(viewerHub.UnsubscribeFromDeviceHeartbeats2, { deviceIds: [first.device.id, newGuid()] });
    expect(result).toEqual(succeeded);
    expect(await viewer.call(viewerHub.UnsubscribeFromDeviceHeartbeats, [second.device.id])).toBeUndefined();
    expect(await hears(viewer, first, third)).toBe(false);
    expect(await hears(viewer, second, third)).toBe(false);
    expect(await subscribe(viewer, first.device.id)).toEqual(succeeded);
    expect(await hears(viewer, first, third)).toBe(true);
  });

  it('end when the viewer disconnects and when the device is deleted', async () => {
    const [gone, kept] = [await onlineDevice(), await onlineDevice()];
    const viewer = await reader();
    await subscribe(viewer, gone.device.id, kept.device.id);
    expect((await server.client().delete(`/api/v1/devices/${gone.device.id}`)).status).toBe(204);
    expect(await hears(viewer, gone, kept)).toBe(false);
    const again = await reader();
    await subscribe(again, kept.device.id);
    viewer.vanish();
    expect(await hears(again, gone, kept)).toBe(false);
  });

  describe('a change of rights', () => {
    async function limited(
      devices: readonly KeyedDevice[],
    ): Promise<{ viewer: TestViewer; grants: PermissionAssignment[]; revokeKey: () => Promise<void> }> {
      const { account, credential, key } = await createServiceAccountWithKey(server);
      const grants: PermissionAssignment[] = [];
      for (const device of devices) {
        grants.push(
          await grant(server, { principal: holder.serviceAccount(account), permission: Permission.DeviceRead, scope: at.device(device) }),
        );
      }
      const viewer = await viewerOf({ 'x-api-key': key });
      const path = `/api/v1/server-service-accounts/${account.id}/credentials/${credential.id}`;
      const revokeKey = async (): Promise<void> => expect((await server.client().delete(path)).status).toBe(204);
      return { viewer, grants, revokeKey };
    }

    async function revoke(assignment: PermissionAssignment): Promise<void> {
      const answer = await server
        .client()
        .delete(`/api/v1/permission-assignments/${assignment.id}`, { query: { tenantId: assignment.owningTenantId ?? undefined } });
      expect(answer.status).toBe(204);
    }

    it('stops the pushes of a device that the viewer must no longer read, and no others', async () => {
      const [lost, kept] = [await onlineDevice(), await onlineDevice()];
      const { viewer, grants } = await limited([lost.device, kept.device]);
      await subscribe(viewer, lost.device.id, kept.device.id);
      expect(await hears(viewer, lost, kept)).toBe(true);
      await revoke(grants[0]);
      await eventually('the device is not heard of any more', async () => !(await hears(viewer, lost, kept)));
      expect(await hears(viewer, lost, kept)).toBe(false);
      expect(viewer.isClosed).toBe(false);
    });

    it('respects a right that is revoked during the subscription', async () => {
      const [lost, kept] = [await onlineDevice(), await onlineDevice()];
      const { viewer, grants } = await limited([lost.device, kept.device]);
      // Cached by the server, so its decision is faster than that of the other device, which must be read.
      await viewer.call(viewerHub.GetDeviceAccessPermissions2, { deviceId: lost.device.id });
      const runner = server.dataSource.createQueryRunner();
      await runner.startTransaction();
      await runner.query('LOCK TABLE devices IN ACCESS EXCLUSIVE MODE');
      const subscribed = subscribe(viewer, lost.device.id, kept.device.id);
      await eventually('the second device waits to be read', async () => {
        const [{ count }] = await server.dataSource.query<{ count: string }[]>(
          `SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
        );
        return Number(count) > 0;
      });
      await server.dataSource.query('DELETE FROM permission_assignments WHERE id = $1', [grants[0].id]);
      server.app.get(InvalidationBus).forget([`ServiceAccount:${grants[0].principalId}`]);
      await runner.commitTransaction();
      await runner.release();
      expect(await subscribed).toEqual(succeeded);
      await eventually('the device is not heard of', async () => !(await hears(viewer, lost, kept)));
      expect(await hears(viewer, lost, kept)).toBe(false);
    });

    it('disconnects a viewer whose credential is revoked, even if it calls nothing', async () => {
      const { device } = await onlineDevice();
      const { viewer, revokeKey } = await limited([device]);
      await subscribe(viewer, device.id);
      await revokeKey();
      await eventually('the viewer is disconnected', () => viewer.isClosed);
    });

    it('disconnects a viewer whose credential has expired', async () => {
      const { device } = await onlineDevice();
      const expiresAt = new Date(server.clock.milliseconds() + 60_000);
      const { account, key } = await createServiceAccountWithKey(server, {}, { expiresAt });
      await grant(server, { principal: holder.serviceAccount(account), permission: Permission.DeviceRead, scope: at.device(device) });
      const viewer = await viewerOf({ 'x-api-key': key });
      await subscribe(viewer, device.id);
      const endExpired = (): Promise<unknown> => Promise.all(server.nodes.map(({ app }) => app.get(StandingRights).endExpired()));
      await endExpired();
      expect(await subscribe(viewer, device.id)).toEqual(succeeded);
      server.clock.advance(61_000);
      await endExpired();
      await eventually('the viewer is disconnected', () => viewer.isClosed);
      server.clock.advance(-61_000);
    });

    it('repeats a check that the database failed', async () => {
      const [lost, kept] = [await onlineDevice(), await onlineDevice()];
      const { viewer, grants } = await limited([lost.device, kept.device]);
      await subscribe(viewer, lost.device.id, kept.device.id);
      const bus = server.app.get(InvalidationBus);
      await server.dataSource.query('ALTER TABLE permission_assignments RENAME TO assignments_away');
      const warn = vi.spyOn(Logger.prototype, 'warn');
      bus.forgetAll();
      await eventually('a check has failed', () => warn.mock.calls.some(([message]) => String(message).startsWith('Rights could not')));
      warn.mockRestore();
      await server.dataSource.query('DELETE FROM assignments_away WHERE id = $1', [grants[0].id]);
      await server.dataSource.query('ALTER TABLE assignments_away RENAME TO permission_assignments');
      await eventually('the device is not heard of any more', async () => !(await hears(viewer, lost, kept)));
      expect(await hears(viewer, lost, kept)).toBe(false);
    });
  });

  it('of thousands of devices do not block the server when rights change', async () => {
    const devices = await Promise.all(Array.from({ length: 2_000 }, () => createDevice(server, { tenantId: tenant.id })));
    const viewer = await reader();
    const ids = devices.map(({ id }) => id);
    for (let from = 0; from < ids.length; from += 100) await subscribe(viewer, ...ids.slice(from, from + 100));
    const { device, agent } = await onlineDevice();
    await subscribe(viewer, device.id);
    const bus = server.app.get(InvalidationBus);
    const turns: number[] = [];
    for (let round = 0; round < 20; round += 1) {
      bus.forget([`User:${newGuid()}`]);
      const start = performance.now();
      await agent.heartbeat();
      turns.push(performance.now() - start);
    }
    await eventually('every report was pushed', () => pushesOf(viewer, device) === 20);
    // A median with a high limit, because test, server and database share the processors.
    expect(turns.toSorted((a, b) => a - b)[turns.length / 2]).toBeLessThan(5_000);
  });
});
