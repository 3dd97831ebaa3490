import { randomBytes } from 'node:crypto';

import { beforeEach, describe, expect, it } from 'vitest';

import { Permission } from '../../../src/access/authorization/permissions/permission.js';
import { Device } from '../../../src/devices/devices/device.entity.js';
import { fingerprintOf } from '../../../src/devices/devices/key-approvals/key-fingerprint.js';
import { InstallerKey, InstallerKeyCreatorKind, InstallerKeyType } from '../../../src/devices/installer-keys/installer-key.entity.js';
import { newGuid } from '../../../src/platform/common/identifiers/guid.js';
import { hashSecret, newSecret } from '../../../src/platform/common/identifiers/secret.js';
import type { Tenant } from '../../../src/tenants/tenants/tenant.entity.js';
import type { ApiAnswer } from '../../support/application/api-client.js';
import { accountWith, callingUser, changesOf, detailOf } from '../../support/callers/callers.js';
import { deviceReport } from '../../support/devices/agents.js';
import { at, createDevice, createServiceAccountWithKey, createTenant, grant, holder } from '../../support/fixtures/factories.js';
import { testServer } from '../../support/setup/test-server.js';

const SETTING = 'require-approval-for-new-device-keys';

const server = testServer();
let tenant: Tenant;
let device: Device;
/** The key that the device had at first. */
let first: string;
let installer: { readonly id: string; readonly secret: string };

const newKey = (): string => randomBytes(32).toString('base64');
const pathOf = ({ id }: { readonly id: string }): string => `/api/v1/devices/${id}/key-approval`;

beforeEach(async () => {
  tenant = await createTenant(server);
  first = newKey();
  device = await createDevice(server, { tenantId: tenant.id, publicKey: first, name: 'front-desk', osDescription: 'Debian 12' });
  const { account } = await createServiceAccountWithKey(server, { tenantId: tenant.id });
  await grant(server, { principal: holder.serviceAccount(account), permission: Permission.AgentInstall, scope: at.tenant(tenant) });
  installer = { id: newGuid(), secret: newSecret() };
  await server.dataSource.manager.insert(InstallerKey, {
    id: installer.id,
    tenantId: tenant.id,
    creatorId: account.id,
    creatorKind: InstallerKeyCreatorKind.TenantServiceAccount,
    keyType: InstallerKeyType.Persistent,
    hashedSecret: hashSecret(installer.secret),
  });
  await require(true);
});

async function require(isRequired: boolean): Promise<void> {
  const body = { name: SETTING, value: String(isRequired) };
  expect((await server.client().post('/api/v1/tenant-settings', { query: { tenantId: tenant.id }, body })).status).toBe(200);
}

function register(publicKey: string | null, id = device.id, report: object = {}): Promise<ApiAnswer> {
  const body = {
    device: { ...deviceReport({ id, tenantId: tenant.id }), drives: [], ...report },
    installerKeyId: installer.id,
    installerKeySecret: installer.secret,
    tagIds: null,
    publicKey,
  };
  return server.client({}).post('/api/agent/devices', { body });
}

async function registered(publicKey: string | null, id = device.id): Promise<string> {
  expect((await register(publicKey, id)).status).toBe(200);
  return fingerprintOf(publicKey ?? '') ?? '';
}

const stateOf = async (id = device.id): Promise<unknown> => (await server.client().get(pathOf({ id }))).body;
const approve = (fingerprint: string, id = device.id): Promise<ApiAnswer> =>
  server.client().post(pathOf({ id }), { body: { fingerprint } });
const inForce = (publicKey: string, id = device.id) =>
  expect.objectContaining({
    deviceId: id,
    isPending: false,
    fingerprint: fingerprintOf(publicKey),
    formerFingerprint: null,
    pendingSince: null,
  });
const waiting = (publicKey: string, former: string, id = device.id) =>
  expect.objectContaining({
    deviceId: id,
    isPending: true,
    fingerprint: fingerprintOf(publicKey),
    formerFingerprint: fingerprintOf(former),
    pendingSince: expect.stringMatching(/^\d{4}-/),
  });

describe('the key of a known device', () => {
  it('waits for approval when a registration brings another one, and is in force with the approval', async () => {
    expect(await stateOf()).toEqual(inForce(first));
    const key = newKey();
    const fingerprint = await registered(key);
    expect(await stateOf()).toEqual(waiting(key, first));
    const approved = await approve(fingerprint);
    expect([approved.status, approved.body]).toEqual([200, inForce(key)]);
    expect(await stateOf()).toEqual(inForce(key));
    expect((await changesOf(server, device.id)).slice(-2)).toEqual([
      {
        action: 'device-registered',
        before: { publicKey: fingerprintOf(first) },
        after: expect.objectContaining({ publicKey: fingerprint, awaitsApproval: true }),
      },
      { action: 'device-key-approved', before: { publicKey: fingerprintOf(first) }, after: { publicKey: fingerprint } },
    ]);
    expect([(await approve(fingerprint)).status, detailOf(await approve(fingerprint))]).toEqual([
      409,
      'No key of the device waits for approval.',
    ]);
  });

  it('waits where there was none, and where the device was deleted; that of a new device does not', async () => {
    const keyless = await createDevice(server, { tenantId: tenant.id });
    const key = newKey();
    await registered(key, keyless.id);
    expect(await stateOf(keyless.id)).toEqual(waiting(key, '', keyless.id));

    expect((await server.client().delete(`/api/v1/devices/${device.id}`)).status).toBe(204);
    await registered(first);
    expect(await stateOf()).toEqual(waiting(first, ''));

    const id = newGuid();
    await registered(key, id);
    expect(await stateOf(id)).toEqual(inForce(key, id));
    expect(JSON.stringify(await changesOf(server, id))).not.toContain('awaitsApproval');
  });

  it('does not wait while nobody asked for it; one that waits goes on waiting then, whatever comes next', async () => {
    const [second, third, fourth] = [newKey(), newKey(), newKey()];
    await require(false);
    await registered(second);
    expect(await stateOf()).toEqual(inForce(second));
    await require(true);
    await registered(third);
    await require(false);
    expect(await stateOf()).toEqual(waiting(third, second));
    await registered(fourth);
    await registered(null);
    await registered(fourth);
    expect(await stateOf()).toEqual(waiting(fourth, second));
  });

  it('is approved by its fingerprint only: the last one counts', async () => {
    const earlier = await registered(newKey());
    const key = newKey();
    const fingerprint = await registered(key);
    const refused = await approve(earlier);
    expect([refused.status, detailOf(refused)]).toEqual([409, 'Another key waits for approval. Read its fingerprint again.']);
    for (const body of [{}, { fingerprint: '' }, { fingerprint: 'x'.repeat(101) }]) {
      const bad = await server.client().post(pathOf(device), { body });
      expect([bad.status, Object.keys((bad.body as { errors: object }).errors)]).toEqual([400, ['fingerprint']]);
    }
    expect(await stateOf()).toEqual(waiting(key, first));
    expect((await approve(fingerprint)).status).toBe(200);
  });

  it('needs no approval when it is the one that was in force before', async () => {
    await registered(newKey());
    await registered(newKey());
    await registered(first);
    expect(await stateOf()).toEqual(inForce(first));
  });

  it('is refused, which puts the former key in force, if there was one', async () => {
    const refuse = (id = device.id): Promise<ApiAnswer> => server.client().delete(pathOf({ id }));
    expect([(await refuse()).status, detailOf(await refuse())]).toEqual([409, 'No key of the device waits for approval.']);
    const fingerprint = await registered(newKey());
    await registered(newKey(), device.id);
    const last = await registered(newKey());
    expect((await refuse()).status).toBe(204);
    expect(await stateOf()).toEqual(inForce(first));
    expect((await approve(last)).status).toBe(409);
    expect((await approve(fingerprint)).status).toBe(409);
    expect((await changesOf(server, device.id)).at(-1)).toEqual({
      action: 'device-key-refused',
      before: { publicKey: last },
      after: { publicKey: fingerprintOf(first) },
    });

    const keyless = await createDevice(server, { tenantId: tenant.id });
    await registered(newKey(), keyless.id);
    const answer = await refuse(keyless.id);
    expect([answer.status, detailOf(answer)]).toEqual([409, 'The device has no other key. Delete the device to reject this one.']);
  });

  it('cannot be approved before the device has one', async () => {
    await server.client().delete(`/api/v1/devices/${device.id}`);
    await registered(null);
    expect(await stateOf()).toMatchObject({ isPending: true, fingerprint: null });
    const refused = await approve('SHA256:');
    expect([refused.status, detailOf(refused)]).toEqual([409, 'The device has not sent its key yet.']);
  });

  it('leaves the description of the device as it was while it waits, and tells the agent nothing of it', async () => {
    const answer = await register(newKey(), device.id, { name: 'boss-laptop', osDescription: 'Kali', currentUsers: ['root'] });
    expect(answer.body).toMatchObject({ name: 'boss-laptop', osDescription: 'Kali', currentUsers: ['root'] });
    expect(answer.text).not.toContain('Debian 12');
    await register(null, device.id, { name: 'boss-laptop' });
    expect((await server.client().get(`/api/v1/devices/${device.id}`)).body).toMatchObject({
      name: 'front-desk',
      osDescription: 'Debian 12',
    });
    expect((await changesOf(server, device.id)).at(-1)?.after).toMatchObject({ name: 'boss-laptop' });
  });
});

describe('the rights to read and approve keys', () => {
  it('the list has the keys that wait, of the devices that the caller may read', async () => {
    const key = newKey();
    await registered(key);
    const hidden = await createDevice(server, { tenantId: tenant.id, keyPendingSince: new Date() });
    const reader = await accountWith(server, tenant, [Permission.DeviceRead, at.device(device)]);
    expect((await reader.get('/api/v1/devices/key-approvals')).body).toEqual([waiting(key, first)]);
    const many = await Promise.all(
      Array.from({ length: 120 }, () => createDevice(server, { tenantId: tenant.id, keyPendingSince: new Date() })),
    );
    const { client } = await callingUser(server, tenant, [Permission.DeviceRead]);
    const listed = (await client.get('/api/v1/devices/key-approvals')).as<{ deviceId: string }[]>().map(({ deviceId }) => deviceId);
    expect(listed.sort()).toEqual([device, hidden, ...many].map(({ id }) => id).sort());
  });
});
