import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';

import { Context, type RequestContext } from '../authentication/request-context.js';
import { Answers } from '../openapi/operation.js';
import { on, RequireAccess, TenantInQuery } from '../authorization/access.js';
import { ChangeLogSearch } from './change-log-search.service.js';
import { AuthorizationChangeLogsResponseDto, ChangeLogQueryDto } from './change-log.dto.js';
import { Permission } from '../authorization/permission.js';

@ApiTags('AuthorizationChangeLogs')
@Controller('api/v1/authorization-change-logs')
export class ChangeLogsController {
  constructor(private readonly changeLogs: ChangeLogSearch) {}

  @Get()
  @TenantInQuery()
  @RequireAccess(Permission.TenantAuthorizationLogsRead, on.tenant, { orServer: Permission.ServerAuthorizationLogsRead })
  @Answers(200, '', AuthorizationChangeLogsResponseDto)
  ofTenant(@Context() context: RequestContext, @Query() query: ChangeLogQueryDto): Promise<AuthorizationChangeLogsResponseDto> {
    return this.changeLogs.search(context, context.tenantId, query);
  }

  @Get('server')
  @RequireAccess(Permission.ServerAuthorizationLogsRead, on.server)
  @Answers(200, '', AuthorizationChangeLogsResponseDto, { 400: '' })
  ofServer(@Context() context: RequestContext, @Query() query: ChangeLogQueryDto): Promise<AuthorizationChangeLogsResponseDto> {
    return this.changeLogs.search(context, null, query);
  }
}
