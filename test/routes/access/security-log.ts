import { answering } from '../calls.js';
import type { Resource } from '../resource.js';

/* The account API follows no contract: these rows name the permitted callers. */

export const securityLog: Resource = {
  routes: {
    'GET /account/security-log': {
      access: 'authenticated',
      call: answering(200, { statusWithoutUser: 403 }),
    },
    'GET /account/security-log/export': {
      access: 'authenticated',
      call: answering(200, { statusWithoutUser: 403 }),
    },
    'GET /account/security-log/tenant/export': {
      access: 'tenant.users.read on tenant',
      tenant: 'query',
      call: answering(200),
    },
    'GET /account/security-log/tenant': {
      access: 'tenant.users.read on tenant',
      tenant: 'query',
      call: answering(200),
    },
  },
};
