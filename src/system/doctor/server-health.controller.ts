import { Controller, Get, HttpCode, Post } from '@nestjs/common';

import { on, RequireAccess } from '../../access/authorization/guard/access.js';
import { Permission } from '../../access/authorization/permissions/permission.js';
import { Answers, Describe, Group } from '../openapi/operation.js';
import { ServerHealthResponseDto } from './doctor.dto.js';
import { DoctorService } from './doctor.service.js';

@Group('ServerHealth')
@Controller('account/server-health')
export class ServerHealthController {
  constructor(private readonly doctor: DoctorService) {}

  @Get()
  @RequireAccess(Permission.ServerSettingsWrite, on.server)
  @Describe(
    'Get the last report on the health of the server',
    'All nodes know the report. It is kept until those have ended that ran when it was made.',
  )
  @Answers(200, 'The report.', ServerHealthResponseDto)
  last(): Promise<ServerHealthResponseDto> {
    return this.doctor.lastReport();
  }

  @Post()
  @HttpCode(200)
  @RequireAccess(Permission.ServerSettingsWrite, on.server)
  @Describe(
    'Examine the server',
    'Checks the configuration, the database, the data folder, the public address, the proxy, the mail server, the agents and the providers, as they are configured. Changes nothing and sends no mail. Takes up to a minute; a report that is less than 10 seconds old is answered again.',
  )
  @Answers(200, 'The report.', ServerHealthResponseDto)
  examine(): Promise<ServerHealthResponseDto> {
    return this.doctor.examine();
  }
}
