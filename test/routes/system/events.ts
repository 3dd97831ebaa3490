import { answering } from '../calls.js';
import type { Resource } from '../resource.js';

/** The routes about events; they are described apart from those of version 1. */
export const events: Resource = {
  routes: {
    'GET /api/events': {
      access: 'tenant.events.read on tenant',
      tenant: 'query or caller',
      call: answering(200, { query: { kinds: 'device.online,user.signed-in', limit: '10', wait: '0' } }),
    },
    // A stream that ends as soon as nothing is left to read.
    'GET /api/events/stream': {
      access: 'tenant.events.read on tenant',
      tenant: 'query or caller',
      call: answering(200, { query: { wait: '0' } }),
    },
  },
};
