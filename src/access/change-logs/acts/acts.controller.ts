import { Controller, Get, Query } from '@nestjs/common';

import { Answers, Describe, Group } from '../../../system/openapi/operation.js';
import { Context, type RequestContext } from '../../authentication/principals/request-context.js';
import { on, RequireAccess, TenantInQuery } from '../../authorization/guard/access.js';
import { Permission } from '../../authorization/permissions/permission.js';
import {
  ChangeLogActsQueryDto,
  ChangeLogActsResponseDto,
  ChangeLogEntriesQueryDto,
  ChangeLogEntriesResponseDto,
  ChangeLogSubjectsQueryDto,
  ChangeLogSubjectsResponseDto,
} from './act.dto.js';
import { ActSearch } from './act-search.js';

const OF_TENANT = [Permission.TenantAuthorizationLogsRead, on.tenant, { orServer: Permission.ServerAuthorizationLogsRead }] as const;
const OF_SERVER = [Permission.ServerAuthorizationLogsRead, on.server] as const;
const PAGING = 'Newest first; `after` requests the next page.';
const ACTS = `An act contains the entries that one request wrote in one transaction, with the names at that time. ${PAGING}`;
const NAMES =
  'Finds people, objects, permissions, presets and external references in the entries by a part of their name, including deleted ones.';

@Group('ChangeLog')
@Controller('account/change-log')
export class ActsController {
  constructor(private readonly search: ActSearch) {}

  @Get()
  @TenantInQuery()
  @RequireAccess(...OF_TENANT)
  @Describe('Search the acts in a tenant', ACTS)
  @Answers(200, 'A page of the acts with matching entries.', ChangeLogActsResponseDto)
  ofTenant(@Context() context: RequestContext, @Query() query: ChangeLogActsQueryDto): Promise<ChangeLogActsResponseDto> {
    return this.search.acts(context, context.tenantId, query);
  }

  @Get('entries')
  @TenantInQuery()
  @RequireAccess(...OF_TENANT)
  @Describe('Read entries of a tenant', `The matching entries, or those of one act. ${PAGING}`)
  @Answers(200, 'A page of the entries.', ChangeLogEntriesResponseDto)
  entriesOfTenant(@Context() context: RequestContext, @Query() query: ChangeLogEntriesQueryDto): Promise<ChangeLogEntriesResponseDto> {
    return this.search.entries(context, context.tenantId, query);
  }

  @Get('subjects')
  @TenantInQuery()
  @RequireAccess(...OF_TENANT)
  @Describe('Find names in the change log of a tenant', NAMES)
  @Answers(200, 'The closest matches.', ChangeLogSubjectsResponseDto)
  subjectsOfTenant(
    @Context() context: RequestContext,
    @Query() { search }: ChangeLogSubjectsQueryDto,
  ): Promise<ChangeLogSubjectsResponseDto> {
    return this.search.subjects(context, context.tenantId, search);
  }

  @Get('server')
  @RequireAccess(...OF_SERVER)
  @Describe('Search the acts on the server', ACTS)
  @Answers(200, 'A page of the acts with matching entries.', ChangeLogActsResponseDto)
  ofServer(@Context() context: RequestContext, @Query() query: ChangeLogActsQueryDto): Promise<ChangeLogActsResponseDto> {
    return this.search.acts(context, null, query);
  }

  @Get('server/entries')
  @RequireAccess(...OF_SERVER)
  @Describe('Read entries of the server', `The matching entries, or those of one act. ${PAGING}`)
  @Answers(200, 'A page of the entries.', ChangeLogEntriesResponseDto)
  entriesOfServer(@Context() context: RequestContext, @Query() query: ChangeLogEntriesQueryDto): Promise<ChangeLogEntriesResponseDto> {
    return this.search.entries(context, null, query);
  }

  @Get('server/subjects')
  @RequireAccess(...OF_SERVER)
  @Describe('Find names in the change log of the server', NAMES)
  @Answers(200, 'The closest matches.', ChangeLogSubjectsResponseDto)
  subjectsOfServer(
    @Context() context: RequestContext,
    @Query() { search }: ChangeLogSubjectsQueryDto,
  ): Promise<ChangeLogSubjectsResponseDto> {
    return this.search.subjects(context, null, search);
  }
}
