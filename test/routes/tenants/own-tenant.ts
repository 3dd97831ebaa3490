import { answering, newName } from '../calls.js';
import type { Resource } from '../resource.js';

export const ownTenant: Resource = {
  routes: {
    'GET /account/tenant': {
      access: 'tenant.settings.read on tenant',
      tenant: 'caller',
      tagged: [200],
      call: answering(200),
    },
    'PUT /account/tenant': {
      access: 'tenant.settings.write on tenant',
      tenant: 'caller',
      tagged: [200],
      ifMatch: 'GET /account/tenant',
      call: () => ({ status: 200, body: newName() }),
      writes: ['tenant-updated'],
    },
  },
};
