import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { beforeAll, describe, expect, it } from 'vitest';

import { Permission, PermissionEffect } from '../../../src/access/authorization/permissions/permission.js';
import { DeviceActivities } from '../../../src/devices/device-activity/device-activities.js';
import { DeviceActivityKind } from '../../../src/devices/device-activity/device-activity-kinds.js';
import type { DeviceActivityResponseDto } from '../../../src/devices/device-activity/device-activity.dto.js';
import { DeviceActivity } from '../../../src/devices/device-activity/device-activity.entity.js';
import type { LogonTokenResponseDto } from '../../../src/people/logon-tokens/logon-token.dto.js';
import { newGuid } from '../../../src/platform/common/identifiers/guid.js';
import type { CallerSessionDto, DevicePermissionsResponseDto } from '../../../src/system/caller/caller.dto.js';
import { Browser, browserOf, createPerson } from '../../support/callers/browser.js';
import { accountWith, clientOf } from '../../support/callers/callers.js';
import { eventually } from '../../support/eventually.js';
import { at, createDevice, createPersonalAccessToken, createTenant, grant, holder, sessionOf } from '../../support/fixtures/factories.js';
import { testServer, testTenant } from '../../support/setup/test-server.js';

const server = testServer();
const tenant = testTenant(server);

beforeAll(() => server.clock.stop());

describe('the answer that a page starts with', () => {
  it('names the user, its permissions and the offers of the server', async () => {
    const user = await createPerson(server, { tenantId: tenant.id });
    await grant(server, { principal: holder.user(user), permission: Permission.TenantTagsWrite, scope: at.tenant(tenant) });
    await grant(server, { principal: holder.user(user), permission: Permission.ServerTelemetryRead, scope: at.server });
    const session = (await (await browserOf(server, user)).get('/account/session')).as<CallerSessionDto>();
    expect(session).toMatchObject({
      user: {
        id: user.id,
        userName: user.userName,
        isEmailConfirmed: true,
        isTwoFactorEnabled: false,
        hasPassword: true,
        hasPasskey: false,
        mustChangePassword: false,
        isExternal: false,
      },
      tenant: { id: tenant.id, name: tenant.name },
      credential: 'Session',
      deviceId: null,
      provenUntil: new Date(server.clock.milliseconds() + 15 * 60_000).toISOString(),
      serverPermissions: ['server.telemetry.read'],
      tenantPermissions: ['tenant.tags.write'],
      devicePermissions: [],
      features: {
        isPublicRegistrationEnabled: false,
        disableDesktopPreview: false,
        maxFileTransferSize: 104_857_600,
        publicUrl: server.url,
        agentInstallations: [],
      },
      server: (await new Browser(server).get('/account/server')).body,
      alert: null,
    });
  });

  it('names the permissions that it is allowed on a part of the devices', async () => {
    const device = await createDevice(server, { tenantId: tenant.id });
    const user = await createPerson(server, { tenantId: tenant.id });
    await grant(server, { principal: holder.user(user), permission: Permission.DeviceAgentUpdate, scope: at.device(device) });
    await grant(server, { principal: holder.user(user), permission: Permission.DeviceWakeSend, scope: at.tenant(tenant) });
    await grant(server, {
      principal: holder.user(user),
      permission: Permission.DeviceDelete,
      scope: at.device(device),
      effect: PermissionEffect.Deny,
    });
    const session = (await (await browserOf(server, user)).get('/account/session')).as<CallerSessionDto>();
    expect(session.tenantPermissions).toEqual(['device.wake.send']);
    expect([...session.devicePermissions].sort()).toEqual(['device.agent.update', 'device.wake.send']);
    // A token has no more than it was given.
    const { token, key } = await createPersonalAccessToken(server, user);
    const wake = { permission: Permission.DeviceWakeSend, scope: at.device(device) };
    await grant(server, { principal: holder.personalAccessToken(token), ...wake });
    expect((await server.client({ 'x-personal-token': key }).get('/account/session')).body).toMatchObject({
      devicePermissions: ['device.wake.send'],
    });
  });

  it('is given to users who have to change their password, and with a token', async () => {
    const user = await createPerson(server, { tenantId: tenant.id, requirePasswordChange: true });
    const session = (await (await browserOf(server, user)).get('/account/session')).as<CallerSessionDto>();
    expect(session.user.mustChangePassword).toBe(true);
    const other = await createPerson(server, { tenantId: tenant.id });
    expect((await (await clientOf(server, other)).get('/account/session')).body).toMatchObject({ credential: 'PersonalAccessToken' });
  });

  it('tells the page of a logon token its only device', async () => {
    const device = await createDevice(server, { tenantId: tenant.id });
    const body = { tenantId: tenant.id, deviceId: device.id, userCorrelationId: 'person' };
    const { deviceAccessUrl } = (await server.client().post('/api/v1/logon-tokens/external', { body })).as<LogonTokenResponseDto>();
    const browser = new Browser(server);
    await browser.get(deviceAccessUrl);
    expect((await browser.get('/account/session')).body).toMatchObject({
      credential: 'LogonToken',
      deviceId: device.id,
      provenUntil: null,
      user: { isExternal: true },
      serverPermissions: [],
      tenantPermissions: [],
    });
  });
});

describe('the public answer of the server', () => {
  it('contains its name and version, the ways to sign in, and the state of registration', async () => {
    await createPerson(server, { tenantId: tenant.id });
    expect((await new Browser(server).get('/account/server')).body).toEqual({
      productName: 'Device Management',
      serverVersion: expect.stringMatching(/^\d+\.\d+/) as string,
      registration: 'Closed',
      externalProviders: [],
      arePasskeysPossible: false,
      isMailSent: false,
      mustConfirmEmail: false,
      invitationDays: 7,
    });
  });
});

describe('the offer of an empty server', () => {
  const empty = testServer({
    Service_AppOptions__PublicUrl: 'https://devices.example',
    Service_AppOptions__SmtpHost: '127.0.0.1',
    Service_AppOptions__SmtpEmail: 'service@devices.example',
    Service_AppOptions__SmtpDisplayName: 'Fleet',
    Service_AppOptions__EnablePublicRegistration: 'true',
    Service_AppOptions__RequireUserEmailConfirmation: 'true',
    Service_AppOptions__AuthenticatorIssuerName: 'Fleet',
    Service_AppOptions__GitHubClientId: 'id',
    Service_AppOptions__GitHubClientSecret: 'secret',
  });

  it('is that the first user registers, and then others', async () => {
    const offered = async (): Promise<unknown> => (await new Browser(empty).get('/account/server')).body;
    expect(await offered()).toMatchObject({
      productName: 'Fleet',
      registration: 'FirstUser',
      externalProviders: [{ name: 'github', displayName: 'GitHub' }],
      arePasskeysPossible: true,
      isMailSent: true,
      mustConfirmEmail: true,
      invitationDays: 7,
    });
    await createPerson(empty, { tenantId: (await createTenant(empty)).id });
    expect(await offered()).toMatchObject({ registration: 'Public' });
  });
});

it('the agents that can be installed are those whose bundle and script are there', async () => {
  const downloads = join(server.dataPath, 'downloads');
  for (const platform of ['linux-x64', 'osx-arm64', 'win-x64']) {
    await mkdir(join(downloads, platform), { recursive: true });
    await writeFile(join(downloads, platform, 'device-agent.tar.gz'), 'a bundle');
    await writeFile(join(downloads, platform, 'device-agent.version'), platform === 'osx-arm64' ? 'new' : '1.2.3.4');
  }
  await writeFile(join(downloads, 'install.sh'), 'a script');
  const { features } = (
    await (await browserOf(server, await createPerson(server, { tenantId: tenant.id }))).get('/account/session')
  ).as<CallerSessionDto>();
  expect(features.agentInstallations).toEqual([
    {
      platform: 'linux-x64',
      version: '1.2.3.4',
      brand: null,
      script: 'install.sh',
      path: '/downloads/install.sh',
      command: expect.stringContaining(`--tenant ${tenant.id} --key-id {keyId}`) as string,
    },
  ]);
});

it('the installers of other agents are offered where all is published that they ask for', async () => {
  const downloads = join(server.dataPath, 'downloads');
  const user = await createPerson(server, { tenantId: tenant.id });
  const offered = async () => {
    // The version is read once a minute.
    server.clock.advance(61_000);
    const { features } = (await (await browserOf(server, user)).get('/account/session')).as<CallerSessionDto>();
    return features.agentInstallations.filter(({ brand }) => brand !== null);
  };
  const publish = async (...paths: string[]): Promise<void> => {
    for (const path of paths) {
      await mkdir(join(downloads, path, '..'), { recursive: true });
      await writeFile(join(downloads, path), path === 'Version.txt' ? '4.5.6.7' : 'a file');
    }
  };
  await publish('linux-x64/ControlR.Agent.Installer', 'linux-x64/ControlR.Agent.bundle.zip');
  // A bundle without its installer, and an installer without its bundle.
  await publish('osx-x64/ControlR.Agent.bundle.zip', 'win-x64/ControlR.Agent.Installer.exe');
  expect(await offered()).toEqual([]);
  await publish('Version.txt');
  const linux = {
    platform: 'linux-x64',
    version: '4.5.6.7',
    brand: 'ControlR',
    script: 'installer',
    path: '/downloads/linux-x64/ControlR.Agent.Installer',
    command: expect.stringContaining(`--tenant-id ${tenant.id} --installer-key-id {keyId}`) as string,
  };
  expect(await offered()).toEqual([linux]);
  await publish('win-x64/ControlR.Agent.bundle.zip');
  expect((await offered()).map(({ path }) => path).sort()).toEqual([linux.path, '/downloads/win-x64/ControlR.Agent.Installer.exe']);
  // The file that the command names can be downloaded.
  expect((await server.client({}).get(linux.path)).text).toBe('a file');
});

it('the permissions on devices leave out those that the caller cannot name', async () => {
  const user = await createPerson(server, { tenantId: tenant.id });
  const [granted, other] = [await createDevice(server, { tenantId: tenant.id }), await createDevice(server, { tenantId: tenant.id })];
  const foreign = await createDevice(server, { tenantId: (await createTenant(server)).id });
  await grant(server, { principal: holder.user(user), permission: Permission.DeviceTerminalUse, scope: at.device(granted) });
  const browser = await browserOf(server, user);
  const ask = (deviceIds: readonly string[]) => browser.post('/account/device-permissions', { deviceIds });
  const answer = await ask([other.id, granted.id, foreign.id, newGuid(), granted.id]);
  expect(answer.as<DevicePermissionsResponseDto>().items).toEqual([
    { deviceId: other.id, permissions: [] },
    { deviceId: granted.id, permissions: ['device.terminal.use'] },
  ]);
  expect((await ask([])).status).toBe(400);
  expect((await ask(Array.from({ length: 101 }, newGuid))).status).toBe(400);
});

describe('the activity of a device', () => {
  it('is read page by page, newest first, by those who may read its logs', async () => {
    const [user, device] = [await createPerson(server, { tenantId: tenant.id }), await createDevice(server, { tenantId: tenant.id })];
    const activities = server.app.get(DeviceActivities);
    for (const subject of ['/first', '/second']) {
      server.clock.advance(1000);
      const actor = { principal: sessionOf(user), remoteAddress: '192.0.2.7', requestId: 'a-request' };
      const what = { kind: DeviceActivityKind.Download, tenantId: tenant.id, deviceId: device.id, subject };
      await activities.record(actor, what, (activity) => {
        activity.bytesOut = 5;
        return Promise.resolve();
      });
    }
    const { manager } = server.dataSource;
    await eventually(
      'the records are written',
      async () => (await manager.countBy(DeviceActivity, { deviceId: device.id, outcome: 'Completed' as never })) === 2,
    );
    const reader = await accountWith(server, tenant, [Permission.DeviceLogsRead, at.device(device)]);
    const read = async (query: Record<string, string | number>) =>
      (await reader.get(`/account/device-activity/${device.id}`, { query })).as<DeviceActivityResponseDto>().items;
    const [newest] = await read({ pageSize: 1 });
    expect(newest).toMatchObject({ subject: '/second', kind: 'Download', principalName: user.userName, bytesOut: 5, outcome: 'Completed' });
    expect(await read({ after: newest.id })).toMatchObject([{ subject: '/first' }]);
    const other = await accountWith(server, tenant, [Permission.DeviceRead, at.device(device)]);
    expect((await other.get(`/account/device-activity/${device.id}`)).status).toBe(403);
  });
});
