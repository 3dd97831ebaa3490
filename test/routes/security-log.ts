import { answering } from './calls.js';
import type { Resource } from './resource.js';

export const securityLog: Resource = {
  tag: 'SecurityLog',
  routes: {
    'GET /account/security-log': {
      access: 'authenticated',
      query: { after: 'string(uuid)', pageSize: 'integer' },
      answers: { 200: 'SecurityLogResponseDto' },
      errors: [400, 403],
      call: answering(200, { statusWithoutUser: 403 }),
    },
    'GET /account/security-log/tenant': {
      access: 'tenant.users.read on tenant',
      tenant: 'query',
      query: { after: 'string(uuid)', pageSize: 'integer', userId: 'string(uuid)' },
      answers: { 200: 'SecurityLogResponseDto' },
      errors: [400, 403],
      call: answering(200),
    },
  },
};
