import { Controller, Get, Query, Res } from '@nestjs/common';
import type { Response } from 'express';

import type { Pages } from '../../../platform/common/resources/pages.js';
import { EXPORT_HEADERS, type Exported, JSONL, streamExport } from '../../../platform/http/bodies/export-stream.js';
import { Answers, Describe, Group } from '../../../system/openapi/operation.js';
import { Context, type RequestContext } from '../../authentication/principals/request-context.js';
import { on, RequireAccess, TenantInQuery } from '../../authorization/guard/access.js';
import { Permission } from '../../authorization/permissions/permission.js';
import {
  ChangeLogActsQueryDto,
  ChangeLogActsResponseDto,
  ChangeLogEntriesQueryDto,
  ChangeLogEntriesResponseDto,
  type ChangeLogEntryDto,
  ChangeLogExportQueryDto,
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
const EXPORT = 'All entries that match, newest first, as a file of JSON lines or as a table. The filters are those of the search.';

/** The change log as a file. Tables have the names of actor and target instead of all subjects. */
function exported(items: Pages<ChangeLogEntryDto>): Exported<ChangeLogEntryDto> {
  const nameOf = ({ subjects }: ChangeLogEntryDto, id: string | null): string | null => subjects.find((one) => one.id === id)?.name ?? null;
  return {
    name: 'change-log',
    items,
    columns: {
      id: ({ id }) => id,
      createdAt: ({ createdAt }) => createdAt,
      actionType: ({ actionType }) => actionType,
      actorPrincipalType: ({ actorPrincipalType }) => actorPrincipalType,
      actorPrincipalId: ({ actorPrincipalId }) => actorPrincipalId,
      actorName: (entry) => nameOf(entry, entry.actorPrincipalId),
      targetType: ({ targetType }) => targetType,
      targetId: ({ targetId }) => targetId,
      targetName: (entry) => nameOf(entry, entry.targetId),
      owningTenantId: ({ owningTenantId }) => owningTenantId,
      ipAddress: ({ ipAddress }) => ipAddress,
      userCorrelationId: ({ userCorrelationId }) => userCorrelationId,
      sessionCorrelationId: ({ sessionCorrelationId }) => sessionCorrelationId,
      beforeJson: ({ beforeJson }) => beforeJson,
      afterJson: ({ afterJson }) => afterJson,
    },
  };
}

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

  @Get('export')
  @TenantInQuery()
  @RequireAccess(...OF_TENANT)
  @Describe('Export the change log of a tenant', EXPORT)
  @Answers(200, 'The file.', JSONL, {}, EXPORT_HEADERS)
  exportOfTenant(
    @Context() context: RequestContext,
    @Query() { format, ...query }: ChangeLogExportQueryDto,
    @Res() response: Response,
  ): Promise<void> {
    return streamExport(response, format, exported(this.search.export(context, context.tenantId, query)));
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

  @Get('server/export')
  @RequireAccess(...OF_SERVER)
  @Describe('Export the change log of the server', EXPORT)
  @Answers(200, 'The file.', JSONL, {}, EXPORT_HEADERS)
  exportOfServer(
    @Context() context: RequestContext,
    @Query() { format, ...query }: ChangeLogExportQueryDto,
    @Res() response: Response,
  ): Promise<void> {
    return streamExport(response, format, exported(this.search.export(context, null, query)));
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
