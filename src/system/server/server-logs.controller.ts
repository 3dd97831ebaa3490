import { Controller, Get } from '@nestjs/common';

import { on, RequireAccess } from '../../access/authorization/guard/access.js';
import { Permission } from '../../access/authorization/permissions/permission.js';
import { Answers, Describe, Group } from '../openapi/operation.js';
import { GetAspireUrlResponseDto } from './server-logs.dto.js';
import { ServerLogsService } from './server-logs.service.js';

@Group('ServerLogs')
@Controller('api/v1/server-logs')
export class ServerLogsController {
  constructor(private readonly logs: ServerLogsService) {}

  @Get('get-aspire-url')
  @RequireAccess(Permission.ServerTelemetryRead, on.server)
  @Describe(
    'Get the address of the telemetry dashboard',
    'The server does not return its logs. It can link to a dashboard, which `TelemetryDashboard:PublicWebUrl` configures.',
  )
  @Answers(200, 'The address, if a dashboard is configured.', GetAspireUrlResponseDto)
  dashboard(): GetAspireUrlResponseDto {
    return this.logs.dashboard();
  }
}
