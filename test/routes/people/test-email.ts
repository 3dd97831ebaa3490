import { answering } from '../calls.js';
import type { Resource } from '../resource.js';

export const testEmail: Resource = {
  tag: 'TestEmail',
  routes: {
    'POST /api/v1/test-email': {
      access: 'server.settings.write on server',
      answers: { 200: 'nothing' },
      errors: [400, 403, 409, 503],
      call: answering(200, { statusWithoutUser: 400 }),
    },
  },
};
