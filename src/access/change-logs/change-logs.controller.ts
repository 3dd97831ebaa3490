import { Controller, Get, Query } from '@nestjs/common';

import { Answers, Describe, Group } from '../../system/openapi/operation.js';
import { Context, type RequestContext } from '../authentication/principals/request-context.js';
import { on, RequireAccess, TenantInQuery } from '../authorization/guard/access.js';
import { Permission } from '../authorization/permissions/permission.js';
import { ChangeLogSearch } from './change-log-search.js';
import { AuthorizationChangeLogsResponseDto, ChangeLogQueryDto } from './change-log.dto.js';

@Group('AuthorizationChangeLogs')
@Controller('api/v1/authorization-change-logs')
export class ChangeLogsController {
  constructor(private readonly changeLogs: ChangeLogSearch) {}

  @Get()
  @TenantInQuery()
  @RequireAccess(Permission.TenantAuthorizationLogsRead, on.tenant, { orServer: Permission.ServerAuthorizationLogsRead })
  @Describe(
    'Search the change log of a tenant',
    'Changes of accounts, permissions, devices and settings of the tenant, with their actors, newest first.',
  )
  @Answers(200, 'A page of the matching entries.', AuthorizationChangeLogsResponseDto)
  ofTenant(@Context() context: RequestContext, @Query() query: ChangeLogQueryDto): Promise<AuthorizationChangeLogsResponseDto> {
    return this.changeLogs.search(context, context.tenantId, query);
  }

  @Get('server')
  @RequireAccess(Permission.ServerAuthorizationLogsRead, on.server)
  @Describe(
    'Search the change log of the server',
    'Entries that belong to no tenant, newest first: about service accounts of the server, their credentials and permissions, and the server alert. Entries about a tenant, including server permissions of its users, are in the log of the tenant.',
  )
  @Answers(200, 'A page of the matching entries.', AuthorizationChangeLogsResponseDto)
  ofServer(@Context() context: RequestContext, @Query() query: ChangeLogQueryDto): Promise<AuthorizationChangeLogsResponseDto> {
    return this.changeLogs.search(context, null, query);
  }
}
