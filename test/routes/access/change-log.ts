import { answering } from '../calls.js';
import type { Resource } from '../resource.js';

/* The account API follows no contract: these rows name the permitted callers. */

const OF_TENANT = {
  access: 'tenant.authorization-logs.read on tenant or server.authorization-logs.read',
  tenant: 'query',
} as const;
const OF_SERVER = { access: 'server.authorization-logs.read on server' } as const;

export const changeLog: Resource = {
  routes: {
    'GET /account/change-log': {
      ...OF_TENANT,
      call: answering(200, { query: { search: 'anna', permission: 'device.read', reference: 'ticket', actions: 'a,b', pageSize: '10' } }),
    },
    'GET /account/change-log/entries': { ...OF_TENANT, call: answering(200) },
    'GET /account/change-log/subjects': { ...OF_TENANT, call: answering(200, { query: { search: 'anna' } }) },
    'GET /account/change-log/export': { ...OF_TENANT, call: answering(200, { query: { format: 'Csv', search: 'anna' } }) },
    'GET /account/change-log/head': { ...OF_TENANT, call: answering(200) },
    'GET /account/change-log/server': { ...OF_SERVER, call: answering(200) },
    'GET /account/change-log/server/entries': { ...OF_SERVER, call: answering(200) },
    'GET /account/change-log/server/export': { ...OF_SERVER, call: answering(200) },
    'GET /account/change-log/server/heads': { ...OF_SERVER, call: answering(200) },
    'GET /account/change-log/server/subjects': { ...OF_SERVER, call: answering(200, { query: { search: 'anna' } }) },
  },
};
