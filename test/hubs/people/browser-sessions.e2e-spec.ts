import { expect, it } from 'vitest';

import { viewerHub } from '#libs/contracts';

import { Permission } from '../../../src/access/authorization/permissions/permission.js';
import { PersonalAccessTokenPermissionMode } from '../../../src/people/personal-access-tokens/personal-access-token.entity.js';
import { User } from '../../../src/people/users/user.entity.js';
import { Browser, browserOf, createPerson } from '../../support/callers/browser.js';
import { eventually } from '../../support/eventually.js';
import { at, createDevice, createPersonalAccessToken, grant, holder } from '../../support/fixtures/factories.js';
import { testServer, testTenant } from '../../support/setup/test-server.js';
import { TestViewer } from '../viewer-client.js';

const server = testServer();
const tenant = testTenant(server);

/** Connects the page of a browser to the viewer hub. */
async function connect(browser: Browser, headers: Record<string, string> = {}): Promise<TestViewer> {
  return server.alsoStop(await TestViewer.connect(server, { cookie: browser.cookieHeader, origin: server.url, ...headers }));
}

/** The answer to a call that needs `device.read`: the device is offline, so that the call ends there when it is allowed. */
async function refresh(viewer: TestViewer, deviceId: string): Promise<string | null> {
  return (await viewer.call(viewerHub.RefreshDeviceInfo2, { deviceId })).reason;
}

const FORBIDDEN = 'Forbidden.';

it('a signed-in user connects with the cookie, and may do there what the user may', async () => {
  const user = await createPerson(server, { tenantId: tenant.id });
  const device = await createDevice(server, { tenantId: tenant.id });
  const viewer = await connect(await browserOf(server, user));
  expect(await refresh(viewer, device.id)).toBe(FORBIDDEN);
  await grant(server, { principal: holder.user(user), permission: Permission.DeviceRead, scope: at.device(device) });
  await eventually('the right is known', async () => (await refresh(viewer, device.id)) !== FORBIDDEN);
});

it('a page of another origin cannot connect with the cookie of its visitor', async () => {
  const browser = await browserOf(server, await createPerson(server, { tenantId: tenant.id }));
  await expect(connect(browser, { origin: 'https://evil.example' })).rejects.toThrow();
});

it.each<[string, (browser: Browser, user: User) => Promise<unknown>]>([
  ['signs out', (browser) => browser.post('/account/sign-out')],
  [
    'gets a new password from an administrator',
    (_, user) => server.client().post(`/api/v1/users/${user.id}/reset-password`, { query: { tenantId: tenant.id } }),
  ],
  ['is suspended', (_, user) => server.client().put(`/account/users/${user.id}/suspension`, { query: { tenantId: tenant.id } })],
  ['is deleted', (_, user) => server.client().delete(`/api/v1/users/${user.id}`, { query: { tenantId: tenant.id } })],
])('the connection ends within a second when the user %s', async (_, end) => {
  const user = await createPerson(server, { tenantId: tenant.id });
  const browser = await browserOf(server, user);
  const [viewer, other] = [
    await connect(browser),
    await connect(await browserOf(server, await createPerson(server, { tenantId: tenant.id }))),
  ];
  await end(browser, user);
  await eventually('the connection has ended', () => viewer.isClosed);
  expect(other.isClosed).toBe(false);
});

it('the connection of a token ends, too, when its user has to change the password first', async () => {
  const user = await createPerson(server, { tenantId: tenant.id });
  const permissionMode = PersonalAccessTokenPermissionMode.InheritOwner;
  const { key } = await createPersonalAccessToken(server, user, { permissionMode });
  const connectWithToken = async (): Promise<TestViewer> => server.alsoStop(await TestViewer.connect(server, { 'x-personal-token': key }));
  const viewer = await connectWithToken();
  await server.client().post(`/api/v1/users/${user.id}/reset-password`, { query: { tenantId: tenant.id } });
  await eventually('the connection has ended', () => viewer.isClosed);
  await expect(connectWithToken()).rejects.toThrow();
});

it('a user who has to change the password first cannot connect', async () => {
  const user = await createPerson(server, { tenantId: tenant.id, requirePasswordChange: true });
  await expect(connect(await browserOf(server, user))).rejects.toThrow();
});
