import { answering } from '../calls.js';
import type { Resource } from '../resource.js';

export const serverStats: Resource = {
  tag: 'ServerStats',
  routes: {
    'GET /api/v1/server-stats': {
      access: 'server.telemetry.read on server',
      answers: { 200: 'ServerStatsDto' },
      errors: [403],
      call: answering(200),
    },
  },
  schemas: {
    ServerStatsDto: {
      totalTenants: 'integer(int32)',
      onlineAgents: 'integer(int32)',
      totalAgents: 'integer(int32)',
      onlineUsers: 'integer(int32)',
      totalUsers: 'integer(int32)',
    },
  },
};
