import { Permission } from '../../../src/access/authorization/permissions/permission.js';
import { newGuid } from '../../../src/platform/common/identifiers/guid.js';
import { answering, newName } from '../calls.js';
import type { Resource } from '../resource.js';

/* The account API follows no contract: these rows name the permitted callers. */

const newAddress = (): string => `${newGuid()}@example.org`;

export const firstAdministrators: Resource = {
  routes: {
    'POST /account/tenants': {
      access: 'server.tenants.write on server',
      call: () => ({ status: 201, body: { ...newName(), administrator: null } }),
      writes: ['tenant-created'],
    },
    'GET /account/tenants/without-users': {
      access: 'server.tenants.read on server',
      call: answering(200),
    },
    'POST /account/tenants/:tenantId/administrators': {
      access: 'server.tenants.write on server',
      tenant: 'path, as the object',
      call: async (scene) => ({
        status: 201,
        path: { tenantId: (await scene.anotherTenant()).id },
        body: { email: newAddress() },
        also: [Permission.ServerPermissionsWrite],
      }),
      writes: ['invite-created', 'permission-assignments-seeded', 'user-created'],
    },
  },
};
