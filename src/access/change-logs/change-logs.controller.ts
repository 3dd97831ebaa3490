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
    'Who changed what about accounts, permissions, devices and settings of the tenant, newest first.',
  )
  @Answers(200, 'A page of the entries that match.', AuthorizationChangeLogsResponseDto)
  ofTenant(@Context() context: RequestContext, @Query() query: ChangeLogQueryDto): Promise<AuthorizationChangeLogsResponseDto> {
    return this.changeLogs.search(context, context.tenantId, query);
  }

  @Get('server')
  @RequireAccess(Permission.ServerAuthorizationLogsRead, on.server)
  @Describe(
    'Search the change log of the server',
    'Entries that belong to no tenant, newest first: the service accounts of the server, their credentials and permissions, and the server alert. Entries of a tenant, also those about what its users may do on the server, are in its own log.',
  )
  @Answers(200, 'A page of the entries that match.', AuthorizationChangeLogsResponseDto)
  ofServer(@Context() context: RequestContext, @Query() query: ChangeLogQueryDto): Promise<AuthorizationChangeLogsResponseDto> {
    return this.changeLogs.search(context, null, query);
  }
}
