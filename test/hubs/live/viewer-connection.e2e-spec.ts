import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';

import { describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';

import { viewerHub } from '#libs/contracts';

import { Permission } from '../../../src/access/authorization/permissions/permission.js';
import { PersonalAccessTokenPermissionMode } from '../../../src/people/personal-access-tokens/personal-access-token.entity.js';
import { ServiceAccountAccessMode } from '../../../src/people/service-accounts/service-account.entity.js';
import { VIEWER_HUB_PATH } from '../../../src/platform/common/addresses/hub-paths.js';
import { newGuid } from '../../../src/platform/common/identifiers/guid.js';
import { formatKey, newSecret } from '../../../src/platform/common/identifiers/secret.js';
import { ROOT_KEY } from '../../support/application/app.js';
import {
  at,
  createDevice,
  createPersonalAccessToken,
  createServiceAccountWithKey,
  createTenant,
  createUser,
  grant,
  holder,
} from '../../support/fixtures/factories.js';
import { testServer, testTenant } from '../../support/setup/test-server.js';
import { TestViewer } from '../viewer-client.js';

interface Refusal {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

describe('connecting to the viewer hub', () => {
  const server = testServer();
  const tenant = testTenant(server);

  async function negotiate(headers: Record<string, string>): Promise<Refusal> {
    const response = await fetch(`${server.url}${VIEWER_HUB_PATH}/negotiate?negotiateVersion=1`, { method: 'POST', headers });
    return { status: response.status, headers: response.headers, body: await response.json() };
  }

  /** Opens a WebSocket without negotiation and returns the answer that refuses it. */
  async function upgrade(headers: Record<string, string>): Promise<Refusal> {
    const socket = new WebSocket(`${server.url.replace('http', 'ws')}${VIEWER_HUB_PATH}`, { headers });
    const [, response]: [unknown, IncomingMessage] = (await once(socket, 'unexpected-response')) as [unknown, IncomingMessage];
    let text = '';
    for await (const chunk of response) text += String(chunk);
    const pairs = Object.entries(response.headers).map(([name, value]): [string, string] => [name, String(value)]);
    return { status: response.statusCode ?? 0, headers: new Headers(pairs), body: JSON.parse(text) };
  }

  const forms: [string, (headers: Record<string, string>) => Promise<Refusal>][] = [
    ['negotiating', negotiate],
    ['a direct upgrade', upgrade],
  ];

  describe.each(forms)('by %s', (_, attempt) => {
    it.each<[string, () => Promise<Record<string, string>> | Record<string, string>, number, string]>([
      ['no credential', () => ({}), 401, 'Unauthorized.'],
      ['an unknown key', () => ({ 'x-api-key': formatKey(newGuid(), newSecret()) }), 401, 'Unauthorized.'],
      ['a wrong secret', () => ({ 'x-api-key': `${ROOT_KEY.slice(0, 33)}wrong` }), 401, 'Unauthorized.'],
      ['a malformed key', () => ({ 'x-api-key': 'no-colon' }), 400, 'Invalid request.'],
      ['a malformed token', () => ({ 'x-personal-token': 'zz:secret' }), 400, 'Invalid request.'],
      [
        'a revoked key',
        async () => ({ 'x-api-key': (await createServiceAccountWithKey(server, {}, { revokedAt: new Date(0) })).key }),
        401,
        'Unauthorized.',
      ],
      [
        'an expired key',
        async () => ({ 'x-api-key': (await createServiceAccountWithKey(server, {}, { expiresAt: new Date(0) })).key }),
        401,
        'Unauthorized.',
      ],
      [
        'the key of a disabled account',
        async () => ({ 'x-api-key': (await createServiceAccountWithKey(server, { isEnabled: false })).key }),
        401,
        'Unauthorized.',
      ],
      ['a cookie that is not a session', () => ({ cookie: 'device-management-session=invented' }), 401, 'Unauthorized.'],
      [
        'a wrong token beside a right key',
        () => ({ 'x-personal-token': formatKey(newGuid(), newSecret()), 'x-api-key': ROOT_KEY }),
        401,
        'Unauthorized.',
      ],
    ])('refuses %s with Problem Details', async (_case, headers, status, title) => {
      const refusal = await attempt({ 'x-forwarded-for': freshAddress(), ...(await headers()) });
      expect(refusal).toMatchObject({ status, body: { type: 'about:blank', title, status, detail: expect.stringMatching(/\S/) } });
      expect(refusal.headers.get('content-type')).toContain('application/problem+json');
      expect(refusal.headers.get('x-request-id')).toMatch(/^[0-9a-f]{32}$/);
      expect(refusal.headers.get('www-authenticate')).toEqual(status === 401 ? expect.stringMatching(/^ApiKey /) : null);
    });
  });

  it('answers a public connection id and a separate secret token', async () => {
    const { status, body } = await negotiate({ 'x-api-key': ROOT_KEY });
    expect(status).toBe(200);
    const { connectionId, connectionToken } = body as { connectionId: string; connectionToken: string };
    expect(connectionId).toMatch(/^[\w-]+\.[\w-]{22}$/);
    expect(connectionToken).toMatch(/^[\w-]{32}$/);
    expect(connectionToken).not.toContain(connectionId);
  });

  it('does not open a negotiated connection without a credential', async () => {
    const { body } = await negotiate({ 'x-api-key': ROOT_KEY });
    const { connectionToken } = body as { connectionToken: string };
    const socket = new WebSocket(`${server.url.replace('http', 'ws')}${VIEWER_HUB_PATH}?id=${connectionToken}`);
    const [, response] = (await once(socket, 'unexpected-response')) as [unknown, IncomingMessage];
    response.resume();
    expect(response.statusCode).toBe(401);
  });

  describe('as', () => {
    it.each<[string, () => Promise<Record<string, string>>]>([
      ['an Unrestricted server account', () => Promise.resolve({ 'x-api-key': ROOT_KEY })],
      [
        'a Restricted server account with a grant at the server',
        async () => {
          const { account, key } = await createServiceAccountWithKey(server, { accessMode: ServiceAccountAccessMode.Restricted });
          await grant(server, { principal: holder.serviceAccount(account), permission: Permission.DeviceRead, scope: at.server });
          return { 'x-api-key': key };
        },
      ],
      [
        'a tenant account with a grant in its tenant',
        async () => {
          const { account, key } = await createServiceAccountWithKey(server, { tenantId: tenant.id });
          await grant(server, { principal: holder.serviceAccount(account), permission: Permission.DeviceRead, scope: at.tenant(tenant) });
          return { 'x-api-key': key };
        },
      ],
      [
        'a user, by a token that inherits',
        async () => {
          const user = await createUser(server, { tenantId: tenant.id });
          await grant(server, { principal: holder.user(user), permission: Permission.DeviceRead, scope: at.tenant(tenant) });
          const { key } = await createPersonalAccessToken(server, user, { permissionMode: PersonalAccessTokenPermissionMode.InheritOwner });
          return { 'x-personal-token': key };
        },
      ],
      [
        'a user, by a Restricted token with a grant of its own',
        async () => {
          const user = await createUser(server, { tenantId: tenant.id });
          await grant(server, { principal: holder.user(user), permission: Permission.DeviceRead, scope: at.tenant(tenant) });
          const { key, token } = await createPersonalAccessToken(server, user);
          await grant(server, {
            principal: holder.personalAccessToken(token),
            permission: Permission.DeviceRead,
            scope: at.tenant(tenant),
          });
          return { 'x-personal-token': key };
        },
      ],
    ])('%s lets calls through', async (_, headers) => {
      const device = await createDevice(server, { tenantId: tenant.id });
      const viewer = await TestViewer.connect(server, await headers());
      const result = await viewer.call(viewerHub.GetDeviceAccessPermissions2, { deviceId: device.id });
      expect(result).toMatchObject({ isSuccess: true, reason: null });
      await viewer.stop();
    });

    it.each<[string, string, () => Promise<Record<string, string>>]>([
      [
        'a Restricted server account without a grant',
        'Forbidden.',
        async () => ({ 'x-api-key': (await createServiceAccountWithKey(server)).key }),
      ],
      [
        'a tenant account of another tenant that may do everything there',
        'Device not found.',
        async () => {
          const other = await createTenant(server);
          const { account, key } = await createServiceAccountWithKey(server, { tenantId: other.id });
          await grant(server, { principal: holder.serviceAccount(account), permission: Permission.DeviceRead, scope: at.tenant(other) });
          return { 'x-api-key': key };
        },
      ],
      [
        'a user, by a Restricted token without a grant of its own',
        'Forbidden.',
        async () => {
          const user = await createUser(server, { tenantId: tenant.id });
          await grant(server, { principal: holder.user(user), permission: Permission.DeviceRead, scope: at.tenant(tenant) });
          return { 'x-personal-token': (await createPersonalAccessToken(server, user)).key };
        },
      ],
    ])('%s opens the connection, which grants nothing: %s', async (_who, reason, headers) => {
      const device = await createDevice(server, { tenantId: tenant.id });
      const viewer = await TestViewer.connect(server, await headers());
      const result = await viewer.call(viewerHub.GetDeviceAccessPermissions2, { deviceId: device.id });
      expect(result).toEqual({ isSuccess: false, reason, value: null, errorCode: null });
      expect(viewer.isClosed).toBe(false);
      await viewer.stop();
    });
  });
});

let addresses = 0;

/** An address without failed attempts, so that earlier failures do not throttle a test. */
function freshAddress(): string {
  addresses += 1;
  return `198.51.100.${addresses}`;
}
