import { describe, expect, it } from 'vitest';

import { AuthorizationChangeLog } from '../../../src/access/authorization/change-log/change-log.entity.js';
import { Permission, type PermissionDefinition } from '../../../src/access/authorization/permissions/permission.js';
import type { ServerStatsDto } from '../../../src/system/server/server-stats.dto.js';
import type { ApiClient } from '../../support/application/api-client.js';
import type { TestApp } from '../../support/application/app.js';
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
import { testServer } from '../../support/setup/test-server.js';

/** A server account with one permission. */
async function serverAccount(server: TestApp, permission: PermissionDefinition): Promise<ApiClient> {
  const { account, key } = await createServiceAccountWithKey(server);
  await grant(server, { principal: holder.serviceAccount(account), permission, scope: at.server });
  return server.client({ 'x-api-key': key });
}

/** A user of a new tenant without any permission. */
async function anyUser(server: TestApp): Promise<ApiClient> {
  const user = await createUser(server, { tenantId: (await createTenant(server)).id });
  const { key } = await createPersonalAccessToken(server, user);
  return server.client({ 'x-personal-token': key });
}

describe('a server without special configuration', () => {
  const server = testServer();

  describe('its alert', () => {
    const PATH = '/api/v1/server-alert';
    const ID = '00000000-0000-0000-0000-000000000001';
    const INITIAL = { message: '', severity: 'Information', isDismissable: true, isSticky: false, isEnabled: false };
    const ALERT = { message: 'Down at noon', severity: 'Warning', isDismissable: false, isSticky: true, isEnabled: true };

    it('exists from the beginning, for every authenticated caller', async () => {
      expect((await (await anyUser(server)).get(PATH)).as()).toEqual({ id: ID, ...INITIAL });
      expect((await server.client({}).get(PATH)).status).toBe(401);
    });

    it('is replaced as a whole, and both states are logged', async () => {
      const administrator = await serverAccount(server, Permission.ServerSettingsWrite);
      const answer = await administrator.post(PATH, { body: ALERT });
      expect([answer.status, answer.body]).toEqual([200, { id: ID, ...ALERT }]);
      expect((await (await anyUser(server)).get(PATH)).as()).toEqual({ id: ID, ...ALERT });
      const [entry] = await server.dataSource.manager.find(AuthorizationChangeLog, { where: { actionType: 'server-alert-updated' } });
      expect(entry).toMatchObject({ targetType: 'ServerAlert', targetId: ID, owningTenantId: null });
      expect([JSON.parse(entry?.beforeJson ?? ''), JSON.parse(entry?.afterJson ?? '')]).toEqual([INITIAL, ALERT]);
      expect((await administrator.post(PATH, { body: { ...ALERT, message: '', severity: 3 } })).as()).toMatchObject({
        message: '',
        severity: 'Success',
      });
    });

    it('is replaced by parallel callers one after another', async () => {
      const root = server.client();
      const answers = await Promise.all(['a', 'b', 'c', 'd'].map((message) => root.post(PATH, { body: { ...ALERT, message } })));
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    });

    it('answers 404 while its row is missing, and is created again', async () => {
      await server.dataSource.query('DELETE FROM server_alerts');
      expect((await server.client().get(PATH)).status).toBe(404);
      expect((await server.client().post(PATH, { body: ALERT })).as()).toEqual({ id: ID, ...ALERT });
      expect((await server.client().get(PATH)).as()).toEqual({ id: ID, ...ALERT });
    });
  });

  describe('its figures', () => {
    const PATH = '/api/v1/server-stats';

    it('count tenants, devices and users, and how many are online', async () => {
      const reader = await serverAccount(server, Permission.ServerTelemetryRead);
      const before = (await reader.get(PATH)).as<ServerStatsDto>();
      const tenant = await createTenant(server);
      await createDevice(server, { tenantId: tenant.id, isOnline: true });
      await createDevice(server, { tenantId: tenant.id, isOnline: true });
      await createDevice(server, { tenantId: tenant.id });
      const online = await createUser(server, { tenantId: tenant.id });
      await createUser(server, { tenantId: tenant.id });
      // Connected to two nodes.
      await server.dataSource.query(`INSERT INTO nodes (id, started_at, last_seen_at) VALUES ('another', $1, $1)`, [server.clock.now()]);
      await server.dataSource.query('INSERT INTO user_presences (user_id, node_id) SELECT $1, id FROM nodes', [online.id]);
      expect((await reader.get(PATH)).as()).toEqual({
        totalTenants: before.totalTenants + 1,
        onlineAgents: before.onlineAgents + 2,
        totalAgents: before.totalAgents + 3,
        onlineUsers: before.onlineUsers + 1,
        totalUsers: before.totalUsers + 2,
      });
    });

    it('leave out what is left of a tenant that is being deleted', async () => {
      const reader = await serverAccount(server, Permission.ServerTelemetryRead);
      const before = (await reader.get(PATH)).as();
      const tenant = await createTenant(server);
      await createDevice(server, { tenantId: tenant.id, isOnline: true });
      await createUser(server, { tenantId: tenant.id });
      await server.dataSource.query('UPDATE tenants SET deleted_at = now() WHERE id = $1', [tenant.id]);
      expect((await reader.get(PATH)).as()).toEqual(before);
    });
  });

  describe('the configuration that users can read', () => {
    it.each([
      ['file-upload-max-size', { maxFileSize: 104_857_600 }],
      ['decommission-status', { isEnabled: false }],
    ])('has %s, kept for 30 seconds by the caller alone', async (name, expected) => {
      const path = `/api/v1/user-server-settings/${name}`;
      const client = await anyUser(server);
      const answer = await client.get(path);
      expect([answer.status, answer.body]).toEqual([200, expected]);
      expect(answer.headers.get('cache-control')).toBe('private, max-age=30');
      expect((await server.client({}).get(path)).status).toBe(401);
    });
  });

  it('has no telemetry dashboard', async () => {
    const reader = await serverAccount(server, Permission.ServerTelemetryRead);
    const answer = await reader.get('/api/v1/server-logs/get-aspire-url');
    expect([answer.status, answer.body]).toEqual([200, { isConfigured: false, aspireUrl: null }]);
    expect((await (await anyUser(server)).get('/api/v1/server-logs/get-aspire-url')).status).toBe(403);
  });
});

describe('a server with a telemetry dashboard, about to be decommissioned', () => {
  const server = testServer({
    Service_TelemetryDashboard__PublicWebUrl: 'https://logs.example.org/dashboard',
    Service_TelemetryDashboard__Token: 'a token & more',
    Service_ServerLifecycle__DecommissionServer: 'true',
    Service_AppOptions__MaxFileTransferSize: '-1',
  });

  it('answers the sign-in address of the dashboard, which must not be cached', async () => {
    const reader = await serverAccount(server, Permission.ServerTelemetryRead);
    const answer = await reader.get('/api/v1/server-logs/get-aspire-url');
    expect(answer.as()).toEqual({ isConfigured: true, aspireUrl: 'https://logs.example.org/dashboard/login?t=a+token+%26+more' });
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });

  it('tells users', async () => {
    const client = await anyUser(server);
    expect((await client.get('/api/v1/user-server-settings/decommission-status')).as()).toEqual({ isEnabled: true });
    expect((await client.get('/api/v1/user-server-settings/file-upload-max-size')).as()).toEqual({ maxFileSize: -1 });
  });
});
