import { Controller, Get, Query } from '@nestjs/common';

import { Answers, Describe, Group } from '../../../system/openapi/operation.js';
import { Context, type RequestContext, type TenantContext } from '../../authentication/principals/request-context.js';
import { on, RequireAccess, TenantInQuery } from '../../authorization/guard/access.js';
import { Permission } from '../../authorization/permissions/permission.js';
import { ChainHeads } from './chain-heads.js';
import { ChainHeadDto, ChainHeadsQueryDto, ChainHeadsResponseDto } from './chain-heads.dto.js';

const KEEP = 'Keep it outside of the server: `npm run audit:verify -- --head <file>` compares the log with it.';

@Group('ChangeLogHeads')
@Controller('account/change-log')
export class ChainHeadsController {
  constructor(private readonly heads: ChainHeads) {}

  @Get('head')
  @TenantInQuery()
  @RequireAccess(Permission.TenantAuthorizationLogsRead, on.tenant, { orServer: Permission.ServerAuthorizationLogsRead })
  @Describe('Read the head of the change log of a tenant', KEEP)
  @Answers(200, 'The head.', ChainHeadDto)
  ofTenant(@Context() context: TenantContext): Promise<ChainHeadDto> {
    return this.heads.of(context, context.tenantId);
  }

  @Get('server/heads')
  @RequireAccess(Permission.ServerAuthorizationLogsRead, on.server)
  @Describe('Read the heads of all change logs', `Those of the server, of all tenants, and of deleted ones. ${KEEP}`)
  @Answers(200, 'A page of the heads.', ChainHeadsResponseDto)
  ofServer(@Context() context: RequestContext, @Query() query: ChainHeadsQueryDto): Promise<ChainHeadsResponseDto> {
    return this.heads.all(context, query);
  }
}
