import { describe, expect, it } from 'vitest';
import { getPublicKeyAsync, utils } from '@noble/ed25519';

import { agentClient, toBase64 } from '#libs/contracts';

import { Permission } from '../../../src/access/authorization/permissions/permission.js';
import { DeviceLink } from '../../../src/devices/device-link/device-link.js';
import { EMPTY_GUID, newGuid } from '../../../src/platform/common/identifiers/guid.js';
import { ROOT_KEY, TestApp } from '../../support/application/app.js';
import { logOf } from '../../support/callers/callers.js';
import { createKeyedDevice, FakeAgent, waitOffline } from '../../support/devices/agents.js';
import { eventually } from '../../support/eventually.js';
import { at, createTenant, createUser, grant, holder } from '../../support/fixtures/factories.js';
import { testServer, testTenant } from '../../support/setup/test-server.js';
import { envelopeOf, rowOf, sendSigned, serverTime } from '../agent-envelope.js';
import { unregisteredDevice, testAgents } from '../test-agents.js';

/* Devices that come, change their key and go: which updates the server takes from then on. */

describe('device updates', () => {
  const server = testServer();
  const tenant = testTenant(server);
  const { newDevice, connected, online } = testAgents(server, tenant);

  it('of a device that was deleted in the meantime are refused and do not bring it back', async () => {
    const device = await newDevice();
    const agent = await online(device);
    expect((await server.client().delete(`/api/v1/devices/${device.id}`)).status).toBe(204);
    await waitOffline(server, device.id);
    expect(await agent.heartbeat()).toMatchObject({ isSuccess: false, reason: 'Unknown device.' });
    expect(await rowOf(server, device.id)).toBeUndefined();
    await expect(server.app.get(DeviceLink).reach(device.id)).rejects.toThrow('The device is offline.');
  });

  it('need the new key as soon as one is registered, even on a connection that is open already', async () => {
    const device = await newDevice();
    const agent = await connected(device);
    expect(
      (await sendSigned(agent.connection, await envelopeOf(server, device, { timestamp: serverTime(server, 30_000) }))).isSuccess,
    ).toBe(true);
    const renewed = await createKeyedDevice(server, tenant);
    await server.dataSource.query(`UPDATE devices SET public_key = $2, last_update_ticks = 0 WHERE id = $1`, [
      device.id,
      renewed.publicKey,
    ]);

    const old = await envelopeOf(server, device, { timestamp: serverTime(server, 31_000) });
    expect(await sendSigned(agent.connection, old)).toMatchObject({ reason: 'Signature verification failed.' });
    const fresh = await envelopeOf(server, device, { seed: renewed.seed });
    expect(await sendSigned(agent.connection, fresh)).toMatchObject({ isSuccess: true, reason: null });
  });

  it('must be accepted before the server reaches a device that registered again over HTTP', async () => {
    const device = await newDevice();
    const agent = await online(device);
    const isOnline = (): boolean => server.nodes.some(({ app }) => app.get(DeviceLink).isOnline(device.id));
    expect(isOnline()).toBe(true);
    const key = await server
      .client({ 'x-api-key': ROOT_KEY })
      .post('/api/v1/installer-keys', { body: { tenantId: tenant.id, keyType: 'Persistent' } });
    const { id, keySecret } = key.as<{ id: string; keySecret: string }>();
    const seed = utils.randomSecretKey();
    const body = {
      device: { id: device.id, tenantId: tenant.id, name: 'PC-1' },
      installerKeyId: id,
      installerKeySecret: keySecret,
      tagIds: null,
      publicKey: toBase64(await getPublicKeyAsync(seed)),
    };
    expect((await server.client().post('/api/agent/devices', { body })).status).toBe(200);

    expect(await rowOf(server, device.id)).toMatchObject({ is_online: false, connection_id: '' });
    expect(isOnline()).toBe(false);
    expect(await agent.heartbeat()).toMatchObject({ isSuccess: false, reason: 'Signature verification failed.' });
    expect(isOnline()).toBe(false);
    expect(await sendSigned(agent.connection, await envelopeOf(server, device, { seed }))).toMatchObject({ isSuccess: true });
    expect(isOnline()).toBe(true);
  });
});

describe('self-bootstrap', () => {
  const server = testServer({ Service_AppOptions__AllowAgentsToSelfBootstrap: 'true' });

  it('takes unknown devices into the only tenant, and refuses them if there is none or more than one', async () => {
    const before = unregisteredDevice(newGuid());
    const early = await FakeAgent.connect(server, before);
    expect(await sendSigned(early.connection, await envelopeOf(server, before))).toMatchObject({ reason: 'No tenants found.' });
    expect(await rowOf(server, before.id)).toBeUndefined();

    const tenant = await createTenant(server);
    const { value } = await sendSigned(early.connection, await envelopeOf(server, before));
    expect(value).toMatchObject({ id: before.id, tenantId: tenant.id, isOnline: true });
    expect(await logOf(server, before.id)).toMatchObject([
      {
        actionType: 'device-registered',
        actorPrincipalType: 'system',
        owningTenantId: tenant.id,
        afterJson: expect.stringContaining('selfBootstrapped'),
      },
    ]);

    // The all-zero id is nobody's.
    const nobody = { ...unregisteredDevice(tenant.id), id: EMPTY_GUID };
    expect(await sendSigned(early.connection, await envelopeOf(server, nobody))).toMatchObject({ reason: 'Unknown device.' });
    expect(await rowOf(server, nobody.id)).toBeUndefined();

    const forged = unregisteredDevice(tenant.id);
    const bad = await envelopeOf(server, forged);
    bad.signature[0] ^= 1;
    expect(await sendSigned(early.connection, bad)).toMatchObject({ reason: 'Signature verification failed.' });
    expect(await sendSigned(early.connection, await envelopeOf(server, forged, { publicKey: null }))).toMatchObject({
      reason: 'Public key is required.',
    });
    expect(await rowOf(server, forged.id)).toBeUndefined();

    const together = unregisteredDevice(tenant.id);
    const agents = await Promise.all(Array.from({ length: 6 }, () => FakeAgent.connect(server, together)));
    const envelope = await envelopeOf(server, together);
    const results = await Promise.all(agents.map(({ connection }) => sendSigned(connection, envelope)));
    expect(results.filter(({ isSuccess }) => isSuccess)).toHaveLength(1);
    expect(await logOf(server, together.id)).toHaveLength(1);

    const contested = unregisteredDevice(tenant.id);
    const rivals = await Promise.all(
      agents.map(async ({ connection }) => sendSigned(connection, await envelopeOf(server, contested, { seed: utils.randomSecretKey() }))),
    );
    expect(rivals.filter(({ isSuccess }) => isSuccess)).toHaveLength(1);
    expect(new Set(rivals.flatMap(({ reason }) => reason ?? []))).toEqual(new Set(['Signature verification failed.']));

    await createTenant(server);
    const late = unregisteredDevice(tenant.id);
    expect((await sendSigned(early.connection, await envelopeOf(server, late))).reason).toMatch(/installer key/);
    expect(await rowOf(server, late.id)).toBeUndefined();
    await Promise.all([early, ...agents].map((agent) => agent.stop()));
  });
});

describe('a decommissioned server', () => {
  it('tells the agent to uninstall itself, deletes the device and says so', async () => {
    const server = await TestApp.start({ Service_ServerLifecycle__DecommissionServer: 'true' });
    try {
      const tenant = await createTenant(server);
      const device = await createKeyedDevice(server, tenant);
      const principal = holder.user(await createUser(server, { tenantId: tenant.id }));
      const assignment = await grant(server, {
        principal,
        permission: Permission.DeviceRead,
        scope: at.device({ id: device.id, tenantId: tenant.id }),
      });
      const agent = await FakeAgent.connect(server, device);
      const reasons: string[] = [];
      agent.on(agentClient.UninstallAgent, (reason) => void reasons.push(reason));

      const forged = await envelopeOf(server, device, { seed: utils.randomSecretKey() });
      expect(await sendSigned(agent.connection, forged)).toMatchObject({ reason: 'Signature verification failed.' });
      expect(await rowOf(server, device.id)).toBeDefined();

      expect(await sendSigned(agent.connection, await envelopeOf(server, device))).toMatchObject({
        isSuccess: false,
        reason: 'Server is decommissioned.',
      });
      await eventually('the agent is told', () => reasons.length === 1);
      expect(reasons[0]).toMatch(/\S/);
      expect(await rowOf(server, device.id)).toBeUndefined();
      expect(await logOf(server, device.id)).toMatchObject([
        { actionType: 'device-deleted', actorPrincipalType: 'system', beforeJson: expect.stringContaining('decommissioned') },
      ]);
      expect(await logOf(server, assignment.id)).toMatchObject([{ actionType: 'permission-assignment-deleted' }]);
      expect(await sendSigned(agent.connection, await envelopeOf(server, device))).toMatchObject({ reason: 'Unknown device.' });
      await agent.stop();
    } finally {
      await server.stop();
    }
  });
});
