import { Controller, Get } from '@nestjs/common';

import { Context, type RequestContext } from '../../access/authentication/principals/request-context.js';
import { on, RequireAccess } from '../../access/authorization/guard/access.js';
import { Permission } from '../../access/authorization/permissions/permission.js';
import { Answers, Describe, Group } from '../openapi/operation.js';
import { ServerStatsDto } from './server-stats.dto.js';
import { ServerStatsService } from './server-stats.service.js';

@Group('ServerStats')
@Controller('api/v1/server-stats')
export class ServerStatsController {
  constructor(private readonly stats: ServerStatsService) {}

  @Get()
  @RequireAccess(Permission.ServerTelemetryRead, on.server)
  @Describe('Get the server statistics', 'Current totals for all tenants.')
  @Answers(200, 'The totals.', ServerStatsDto)
  get(@Context() context: RequestContext): Promise<ServerStatsDto> {
    return this.stats.get(context);
  }
}
