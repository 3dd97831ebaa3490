import { expect, it } from 'vitest';

import { Permission } from '../../../src/access/authorization/permissions/permission.js';
import { callingUser, changesOf } from '../../support/callers/callers.js';
import { createDevice, createTenant } from '../../support/fixtures/factories.js';
import { testServer } from '../../support/setup/test-server.js';

const server = testServer();

const contentsOf = (tenantId: string): string => `/api/v1/tenants/${tenantId}/contents`;

it('the devices that are deleted with a tenant are counted, those of other tenants are not', async () => {
  const [tenant, other] = [await createTenant(server), await createTenant(server)];
  for (const tenantId of [tenant.id, tenant.id, other.id]) await createDevice(server, { tenantId });
  expect((await server.client().get(contentsOf(tenant.id))).body).toEqual({ deviceCount: 2 });
  expect((await server.client().get(contentsOf((await createTenant(server)).id))).body).toEqual({ deviceCount: 0 });
});

it('those who manage the settings of a tenant rename their own tenant, and no other', async () => {
  const [tenant, other] = [await createTenant(server, { name: 'Before' }), await createTenant(server, { name: 'Other' })];
  const { client } = await callingUser(server, tenant, [Permission.TenantSettingsRead, Permission.TenantSettingsWrite]);
  const shown = await client.get('/account/tenant');
  expect(shown.body).toEqual({ tenantId: tenant.id, tenantName: 'Before' });

  const headers = { 'if-match': String(shown.headers.get('etag')) };
  const renamed = await client.put('/account/tenant', { body: { name: 'After' }, headers });
  expect([renamed.status, renamed.body]).toEqual([200, { tenantId: tenant.id, tenantName: 'After' }]);
  expect(await changesOf(server, tenant.id)).toMatchObject([
    { action: 'tenant-updated', before: { name: 'Before' }, after: { name: 'After' } },
  ]);
  expect((await client.put('/account/tenant', { body: { name: 'Late' }, headers })).status).toBe(412);
  expect((await client.put(`/api/v1/tenants/${other.id}`, { body: { name: 'Mine' } })).status).toBe(403);
  expect((await server.client().get(`/api/v1/tenants/${other.id}`)).body).toEqual({ tenantId: other.id, tenantName: 'Other' });
});
