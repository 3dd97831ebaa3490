import { Injectable } from '@nestjs/common';

import type { RequestContext } from '../authentication/request-context.js';
import type { ServerStatsDto } from './server-stats.dto.js';

/** One statement, so that the counts are consistent. Online devices are counted in an index. */
const STATS = `
  SELECT (SELECT count(*) FROM tenants WHERE deleted_at IS NULL)::integer AS "totalTenants",
         (SELECT count(*) FROM devices WHERE is_online)::integer AS "onlineAgents",
         (SELECT count(*) FROM devices)::integer AS "totalAgents",
         (SELECT count(DISTINCT user_id) FROM user_presences)::integer AS "onlineUsers",
         (SELECT count(*) FROM users)::integer AS "totalUsers"`;

/** Statistics over all tenants. */
@Injectable()
export class ServerStatsService {
  /** The current figures over all tenants. */
  async get(context: Pick<RequestContext, 'manager'>): Promise<ServerStatsDto> {
    const [stats] = await context.manager.query<ServerStatsDto[]>(STATS);
    return stats;
  }
}
