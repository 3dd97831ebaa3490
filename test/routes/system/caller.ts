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
    'GET /account/held-permissions': {
      access: 'tenant.permissions.read on tenant',
      tenant: 'caller',
      call: async (scene) => ({ status: 200, query: { principalKind: 'User', principalId: (await scene.user()).id } }),
    },
    'GET /account/effective-permissions': {
      access: 'tenant.permissions.read on tenant',
      tenant: 'caller',
      call: async (scene) => ({ status: 200, query: { principalKind: 'User', principalId: (await scene.user()).id, scopeKind: 'Tenant' } }),
    },
    'GET /account/principals': {
      access: 'tenant.permissions.read on tenant',
      tenant: 'caller',
      call: answering(200),
    },
    'GET /account/grantable-permissions': {
      access: 'personal-access-token.self.write on tenant',
      tenant: 'caller',
      call: answering(200),
    },
    'GET /account/memberships': {
      access: 'tenant.user-groups.read on tenant',
      tenant: 'caller',
      call: answering(200),
    },
    'GET /account/memberships/:userId': {
      access: 'tenant.user-groups.read on tenant',
      tenant: 'caller',
      call: async (scene) => ({ status: 200, path: { userId: (await scene.user()).id } }),
    },
    'POST /account/device-permissions': {
      access: 'authenticated',
      call: async (scene) => ({ status: 200, body: { deviceIds: [(await scene.device()).id] } }),
    },
  },
};
