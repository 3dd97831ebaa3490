import { answering } from '../calls.js';
import type { Resource } from '../resource.js';

/** Query parameters by which both logs can be searched. */
const SEARCH = {
  actionType: 'string',
  actorType: 'string',
  from: 'string(date-time)',
  page: 'integer(int32) minimum=0',
  pageSize: 'integer(int32)',
  searchText: 'string maxLength=128',
  targetType: 'string',
  to: 'string(date-time)',
};

export const authorizationChangeLogs: Resource = {
  tag: 'AuthorizationChangeLogs',
  routes: {
    'GET /api/v1/authorization-change-logs': {
      access: 'tenant.authorization-logs.read on tenant or server.authorization-logs.read',
      tenant: 'query',
      query: SEARCH,
      answers: { 200: 'AuthorizationChangeLogsResponseDto' },
      errors: [400, 403],
      call: answering(200, { query: { actionType: 'a', searchText: 'b', page: '0', pageSize: '10' } }),
    },
    'GET /api/v1/authorization-change-logs/server': {
      access: 'server.authorization-logs.read on server',
      query: SEARCH,
      answers: { 200: 'AuthorizationChangeLogsResponseDto' },
      errors: [400, 403],
      call: answering(200),
    },
  },
  schemas: {
    AuthorizationChangeLogDto: {
      id: 'string(uuid)',
      actionType: 'string',
      actorPrincipalType: 'string',
      actorPrincipalId: 'string(uuid) or null',
      targetType: 'string',
      targetId: 'string(uuid) or null',
      owningTenantId: 'string(uuid) or null',
      ipAddress: 'string or null',
      createdAt: 'string(date-time)',
      beforeJson: 'string or null',
      afterJson: 'string or null',
    },
    AuthorizationChangeLogsResponseDto: { items: 'list of AuthorizationChangeLogDto', totalItems: 'integer(int32)' },
  },
};
