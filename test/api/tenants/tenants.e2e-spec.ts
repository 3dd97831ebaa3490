import { expect, it } from 'vitest';

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
