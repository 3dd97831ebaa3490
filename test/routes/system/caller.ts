import { Permission } from '../../../src/access/authorization/permissions/permission.js';
import { answering } from '../calls.js';
import type { Resource } from '../resource.js';

export const caller: Resource = {
  routes: {
    'GET /account/session': { access: 'authenticated', call: answering(200, { statusWithoutUser: 403 }) },
    'GET /account/server': { access: 'anonymous', call: answering(200) },
    'GET /account/holders': {
      access: 'tenant.permissions.read on tenant',
      tenant: 'caller',
      call: answering(200, { query: { permission: Permission.TenantTagsWrite.name, scopeKind: 'Tenant' } }),
    },
    'POST /account/device-permissions': {
      access: 'authenticated',
      call: async (scene) => ({ status: 200, body: { deviceIds: [(await scene.device()).id] } }),
    },
  },
};
