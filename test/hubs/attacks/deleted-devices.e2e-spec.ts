import { beforeAll, describe, expect, it } from 'vitest';

import { Permission } from '../../../src/access/authorization/permissions/permission.js';
import { KeylessDevices } from '../../../src/devices/devices/updates/keyless-devices.js';
import { InstallerKey, InstallerKeyCreatorKind, InstallerKeyType } from '../../../src/devices/installer-keys/installer-key.entity.js';
import type { User } from '../../../src/people/users/user.entity.js';
import { newGuid } from '../../../src/platform/common/identifiers/guid.js';
import { hashSecret, newSecret } from '../../../src/platform/common/identifiers/secret.js';
import type { Tenant } from '../../../src/tenants/tenants/tenant.entity.js';
import type { ApiAnswer } from '../../support/application/api-client.js';
import type { TestApp } from '../../support/application/app.js';
import { wrongFieldsOf } from '../../support/callers/callers.js';
import { createKeyedDevice, deviceReport, FakeAgent, type KeyedDevice } from '../../support/devices/agents.js';
import { at, createTenant, createUser, grant, holder } from '../../support/fixtures/factories.js';
import { stopAfterEach, testServer } from '../../support/setup/test-server.js';
import { envelopeOf, rowOf, sendSigned, sendUnsigned } from '../agent-envelope.js';

/*
 * A device was deleted, and its agent, or an attacker who has its key or knows its id, tries to bring it back: through the connection that
 * is still open, through a new one with the old key, and unsigned. Then a client takes over a device that has no key by being the
 * first to send one.
 */

const remove = (server: TestApp, tenant: Tenant, { id }: KeyedDevice): Promise<ApiAnswer> =>
  server.client().delete(`/api/v1/devices/${id}`, { query: { tenantId: tenant.id } });

/** Registers a device with a Persistent installer key that the user made. */
async function register(
  server: TestApp,
  creator: User,
  device: KeyedDevice,
  publicKey: string | null = device.publicKey,
): Promise<ApiAnswer> {
  const secret = newSecret();
  const id = newGuid();
  await server.dataSource.manager.insert(InstallerKey, {
    id,
    tenantId: creator.tenantId,
    creatorId: creator.id,
    creatorKind: InstallerKeyCreatorKind.User,
    keyType: InstallerKeyType.Persistent,
    hashedSecret: hashSecret(secret),
  });
  const body = { installerKeyId: id, installerKeySecret: secret, device: deviceReport(device), publicKey };
  return server.client({}).post('/api/agent/devices', { body });
}

describe.each([
  ['where agents may not register themselves', 'false'],
  ['where agents may register themselves', 'true'],
])('a deleted device, %s', (_where, selfBootstrap) => {
  const server = testServer({ Service_AppOptions__AllowAgentsToSelfBootstrap: selfBootstrap });
  const keep = stopAfterEach();
  let tenant: Tenant;

  beforeAll(async () => {
    tenant = await createTenant(server);
  });

  it('does not come back through its open connection, nor through a new one with its key, nor unsigned', async () => {
    const device = await createKeyedDevice(server, tenant);
    const agent = keep(await FakeAgent.connect(server, device));
    expect((await sendSigned(agent.connection, await envelopeOf(server, device))).isSuccess).toBe(true);
    expect((await remove(server, tenant, device)).status).toBe(204);
    expect(await sendSigned(agent.connection, await envelopeOf(server, device))).toMatchObject({ reason: 'Unknown device.' });

    const again = keep(await FakeAgent.connect(server, device));
    expect(await sendSigned(again.connection, await envelopeOf(server, device))).toMatchObject({ reason: 'Unknown device.' });
    expect(await sendUnsigned(again.connection, deviceReport(device))).toMatchObject({ reason: 'Unknown device.' });
    expect(await rowOf(server, device.id)).toBeUndefined();
  });

  it('does not come back while its deletion is under way', async () => {
    const device = await createKeyedDevice(server, tenant);
    const agent = keep(await FakeAgent.connect(server, device));
    const envelopes = await Promise.all(Array.from({ length: 20 }, () => envelopeOf(server, device)));
    const [deleted] = await Promise.all([
      remove(server, tenant, device),
      ...envelopes.map((envelope) => sendSigned(agent.connection, envelope)),
    ]);
    expect(deleted.status).toBe(204);
    expect(await sendSigned(agent.connection, await envelopeOf(server, device))).toMatchObject({ reason: 'Unknown device.' });
    expect(await rowOf(server, device.id)).toBeUndefined();
  });

  it('comes back with an installer key whose creator may install agents, and only with that', async () => {
    const device = await createKeyedDevice(server, tenant);
    const creator = await createUser(server, { tenantId: tenant.id });
    await remove(server, tenant, device);
    expect((await register(server, creator, device)).status).toBe(403);
    expect(await rowOf(server, device.id)).toBeUndefined();

    await grant(server, { principal: holder.user(creator), permission: Permission.AgentInstall, scope: at.tenant(tenant) });
    expect((await register(server, creator, device)).status).toBe(200);
    const agent = keep(await FakeAgent.connect(server, device));
    expect((await sendSigned(agent.connection, await envelopeOf(server, device))).isSuccess).toBe(true);
  });
});

describe('a device without a key', () => {
  const NEEDS_SIGNATURE = 'Device requires signed updates.';

  describe('where keys are not required', () => {
    const server = testServer();

    it('is named in one line at the start', async () => {
      const tenant = await createTenant(server);
      const keyless = server.app.get(KeylessDevices);
      await createKeyedDevice(server, tenant);
      expect(await keyless.warning()).toBeNull();
      await createKeyedDevice(server, tenant, { publicKey: '' });
      expect(await keyless.warning()).toMatch(/^Some devices have no key: .*AppOptions:RequireDeviceKeys\.$/);
    });
  });

  describe('where keys are required', () => {
    const server = testServer({
      Service_AppOptions__RequireDeviceKeys: 'true',
      Service_AppOptions__AllowAgentsToSelfBootstrap: 'true',
    });
    const keep = stopAfterEach();
    let tenant: Tenant;

    beforeAll(async () => {
      tenant = await createTenant(server);
    });

    it('is neither served unsigned nor taken over by the first key that comes, until it is registered with one', async () => {
      const device = await createKeyedDevice(server, tenant, { publicKey: '' });
      const agent = keep(await FakeAgent.connect(server, device));
      expect(await sendUnsigned(agent.connection, deviceReport(device))).toMatchObject({ reason: NEEDS_SIGNATURE });
      expect(await sendSigned(agent.connection, await envelopeOf(server, device))).toMatchObject({
        reason: 'Device has no key: register it with an installer key.',
      });
      expect(await rowOf(server, device.id)).toMatchObject({ public_key: '', is_online: false });
      expect(await server.app.get(KeylessDevices).warning()).toBeNull();

      const creator = await createUser(server, { tenantId: tenant.id });
      await grant(server, { principal: holder.user(creator), permission: Permission.AgentInstall, scope: at.tenant(tenant) });
      expect((await register(server, creator, device)).status).toBe(200);
      expect((await sendSigned(agent.connection, await envelopeOf(server, device))).isSuccess).toBe(true);
    });

    it('is not registered', async () => {
      const creator = await createUser(server, { tenantId: tenant.id });
      const device = { ...(await createKeyedDevice(server, tenant)), id: newGuid() };
      for (const publicKey of [null, '']) {
        const refused = await register(server, creator, device, publicKey);
        expect([refused.status, wrongFieldsOf(refused)]).toEqual([400, ['publicKey']]);
      }
      expect(await rowOf(server, device.id)).toBeUndefined();
    });

    it('does not register itself unsigned; with a key it does', async () => {
      const device = { ...(await createKeyedDevice(server, tenant)), id: newGuid() };
      const agent = keep(await FakeAgent.connect(server, device));
      expect(await sendUnsigned(agent.connection, deviceReport(device))).toMatchObject({ reason: NEEDS_SIGNATURE });
      expect(await rowOf(server, device.id)).toBeUndefined();
      expect((await sendSigned(agent.connection, await envelopeOf(server, device))).isSuccess).toBe(true);
      expect(await rowOf(server, device.id)).toMatchObject({ public_key: device.publicKey });
    });
  });
});
