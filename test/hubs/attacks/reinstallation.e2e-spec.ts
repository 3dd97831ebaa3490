import { randomBytes } from 'node:crypto';

import { beforeEach, describe, expect, it } from 'vitest';

import { viewerHub, type ToastInfo } from '#libs/contracts';

import { Permission } from '../../../src/access/authorization/permissions/permission.js';
import type { Device } from '../../../src/devices/devices/device.entity.js';
import { PersonalAccessToken } from '../../../src/people/personal-access-tokens/personal-access-token.entity.js';
import { ServiceAccountAccessMode } from '../../../src/people/service-accounts/service-account.entity.js';
import { User } from '../../../src/people/users/user.entity.js';
import type { Tenant } from '../../../src/tenants/tenants/tenant.entity.js';
import type { ApiAnswer, ApiClient } from '../../support/application/api-client.js';
import { ROOT_KEY } from '../../support/application/app.js';
import { changesOf, userWithToken } from '../../support/callers/callers.js';
import { deviceReport } from '../../support/devices/agents.js';
import { eventually } from '../../support/eventually.js';
import { at, createDevice, createServiceAccountWithKey, createTenant, grant, holder } from '../../support/fixtures/factories.js';
import { testServer } from '../../support/setup/test-server.js';
import { TestViewer } from '../viewer-client.js';

/*
 * A caller with an installer key takes over a device that is registered already, by registering it again with a key of its own: with a
 * key of a server account that holds nothing there, of a token that carries less than its user, or of a user who is gone. Where it is
 * allowed, the people who look after the device have to notice.
 */

const server = testServer();
let tenant: Tenant;
let device: Device;

beforeEach(async () => {
  tenant = await createTenant(server);
  device = await createDevice(server, { tenantId: tenant.id, publicKey: newKey() });
});

function newKey(): string {
  return randomBytes(32).toString('base64');
}

interface InstallerKey {
  readonly id: string;
  readonly keySecret: string;
}

async function keyMadeBy(client: ApiClient): Promise<InstallerKey> {
  return (await client.post('/api/v1/installer-keys', { body: { tenantId: tenant.id, keyType: 'Persistent' } })).as<InstallerKey>();
}

function register(
  { id, keySecret }: InstallerKey,
  target: { readonly id: string; readonly tenantId: string } = device,
): Promise<ApiAnswer> {
  const body = { device: deviceReport(target), installerKeyId: id, installerKeySecret: keySecret, publicKey: newKey() };
  return server.client({}).post('/api/agent/devices', { body });
}

async function serverAccount(accessMode: ServiceAccountAccessMode) {
  const { account, key } = await createServiceAccountWithKey(server, { accessMode });
  return { principal: holder.serviceAccount(account), client: server.client({ 'x-api-key': key }) };
}

describe('a device that is registered again', () => {
  it('needs agent.install of a Restricted server account on it, and nothing of an Unrestricted one', async () => {
    const { principal, client } = await serverAccount(ServiceAccountAccessMode.Restricted);
    await grant(server, { principal, permission: Permission.InstallerKeyWrite, scope: at.tenant(tenant) });
    const key = await keyMadeBy(client);
    expect((await register(key)).status).toBe(403);
    await grant(server, { principal, permission: Permission.AgentInstall, scope: at.tenant(tenant) });
    expect((await register(key)).status).toBe(200);
    const unrestricted = await serverAccount(ServiceAccountAccessMode.Unrestricted);
    expect((await register(await keyMadeBy(unrestricted.client))).status).toBe(200);
  });

  it('needs it of the Restricted token that made the key as well, for as long as that token lives', async () => {
    const { user, token, client } = await userWithToken(server, tenant, [Permission.InstallerKeyWrite]);
    await grant(server, { principal: holder.user(user), permission: Permission.AgentInstall, scope: at.tenant(tenant) });
    const made = await keyMadeBy(client);
    expect((await register(made)).status).toBe(403);
    await grant(server, { principal: holder.personalAccessToken(token), permission: Permission.AgentInstall, scope: at.tenant(tenant) });
    expect((await register(made)).status).toBe(200);
    await server.dataSource.manager.update(PersonalAccessToken, { id: token.id }, { revokedAt: server.clock.now() });
    expect((await register(made)).status).toBe(400);
  });

  it('is no longer possible with a key whose creator is gone, nor is a new one', async () => {
    const { user, client } = await userWithToken(server, tenant, [Permission.InstallerKeyWrite, Permission.AgentInstall]);
    const made = await keyMadeBy(client);
    await server.dataSource.manager.delete(User, { id: user.id });
    expect((await register(made)).status).toBe(400);
    expect((await register(made, { id: tenant.id, tenantId: tenant.id })).status).toBe(400);
  });

  it('shows its viewers a warning, and the change log the fingerprints of both keys', async () => {
    const viewer = await TestViewer.connect(server, { 'x-api-key': ROOT_KEY });
    try {
      const toasts: ToastInfo[] = [];
      viewer.connection.on('InvokeToast', (toast: ToastInfo) => toasts.push(toast));
      await viewer.call(viewerHub.SubscribeToDeviceHeartbeats, [device.id]);
      expect((await register(await keyMadeBy(server.client()))).status).toBe(200);
      await eventually('the viewer is warned', () => toasts.length === 1);
      expect(toasts).toEqual([expect.objectContaining({ message: 'workshop-pc was registered again, with another key.' })]);
      const fingerprint = expect.stringMatching(/^SHA256:[A-Za-z0-9+/]{43}$/);
      const [change] = await changesOf(server, device.id);
      expect(change).toMatchObject({ action: 'device-registered', before: { publicKey: fingerprint }, after: { publicKey: fingerprint } });
      expect((change.before as { publicKey: string }).publicKey).not.toBe((change.after as { publicKey: string }).publicKey);
    } finally {
      await viewer.stop();
    }
  });
});
