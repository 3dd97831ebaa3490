import { answering } from '../calls.js';
import type { Resource } from '../resource.js';

export const logRetention: Resource = {
  routes: {
    'GET /account/log-retention': {
      access: 'tenant.settings.read on tenant',
      tenant: 'query or caller',
      tagged: [200],
      call: answering(200),
    },
    'PUT /account/log-retention': {
      access: 'tenant.settings.write on tenant',
      tenant: 'query or caller',
      tagged: [200],
      ifMatch: 'GET /account/log-retention',
      call: answering(200, { body: { changeLogDays: 180, securityLogDays: null, deviceActivityDays: 90, eventDays: 2 } }),
      writes: ['log-retention-updated'],
    },
  },
};
