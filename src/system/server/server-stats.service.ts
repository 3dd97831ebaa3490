import { Injectable } from '@nestjs/common';

import type { RequestContext } from '../../access/authentication/principals/request-context.js';
import type { ServerStatsDto } from './server-stats.dto.js';

/** Rows that are left of a tenant being deleted do not count. */
const OF_A_TENANT = 'tenant_id NOT IN (SELECT id FROM tenants WHERE deleted_at IS NOT NULL)';

/** One statement, so that the counts are consistent. Devices are counted in an index. */
const STATS = `
  SELECT (SELECT count(*) FROM tenants WHERE deleted_at IS NULL)::integer AS "totalTenants",
         (SELECT count(*) FROM devices WHERE is_online AND ${OF_A_TENANT})::integer AS "onlineAgents",
         (SELECT count(*) FROM devices WHERE ${OF_A_TENANT})::integer AS "totalAgents",
         (SELECT count(DISTINCT user_id) FROM user_presences)::integer AS "onlineUsers",
         (SELECT count(*) FROM users WHERE ${OF_A_TENANT})::integer AS "totalUsers"`;

/** Statistics over all tenants. */
@Injectable()
export class ServerStatsService {
  /** The current figures over all tenants. */
  async get(context: Pick<RequestContext, 'manager'>): Promise<ServerStatsDto> {
    const [stats] = await context.manager.query<ServerStatsDto[]>(STATS);
    return stats;
  }
}
