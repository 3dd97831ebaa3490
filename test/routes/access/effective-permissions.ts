import { Permission } from '../../../src/access/authorization/permissions/permission.js';

import type { Resource } from '../resource.js';

export const effectivePermissions: Resource = {
  tag: 'EffectivePermissions',
  routes: {
    'GET /api/v1/effective-permissions/:principalId': {
      access: 'tenant.permissions.read on tenant',
      tenant: 'query',
      query: {
        principalKind: 'string, required',
        permissionName: 'string minLength=1 maxLength=150, required',
        scopeKind: 'string, required',
        scopeId: 'string(uuid)',
      },
      answers: { 200: 'EffectivePermissionQueryResponseDto' },
      errors: [400, 403, 404],
      call: async (scene) => ({
        status: 200,
        path: { principalId: (await scene.user()).id },
        query: {
          principalKind: 'User',
          permissionName: Permission.DeviceRead.name,
          scopeKind: 'Device',
          scopeId: (await scene.device()).id,
        },
      }),
    },
  },
  schemas: {
    EffectivePermissionQueryResponseDto: { isAllowed: 'boolean', denyReason: 'string or null' },
  },
};
