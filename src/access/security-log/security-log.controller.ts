import { Controller, Get, Query, Res } from '@nestjs/common';
import type { Response } from 'express';

import type { Pages } from '../../platform/common/resources/pages.js';
import { EXPORT_HEADERS, type Exported, JSONL, streamExport } from '../../platform/http/bodies/export-stream.js';
import { Answers, Describe, Group } from '../../system/openapi/operation.js';
import { requireNoLogonToken, userIdOf } from '../authentication/principals/principal.js';
import { Context, type RequestContext, type TenantContext } from '../authentication/principals/request-context.js';
import { RequireAccess, RequireAuthenticated, TenantInQuery } from '../authorization/guard/access.js';
import { Permission } from '../authorization/permissions/permission.js';
import type { SecurityEventKind } from './security-event-kinds.js';
import {
  SecurityLogExportQueryDto,
  type SecurityLogPart,
  SecurityLogQueryDto,
  SecurityLogResponseDto,
  TenantSecurityLogExportQueryDto,
  TenantSecurityLogQueryDto,
} from './security-log.dto.js';
import { type ListedEvent, SecurityLogRepository } from './security-log.repository.js';

const PAGING = 'Newest first; `after` requests the page that follows an entry.';

const KINDS_OF_PARTS: Readonly<Record<SecurityLogPart, readonly SecurityEventKind[]>> = {
  SignIns: ['SignedIn', 'SignInFailed', 'LockedOut'],
  Refusals: ['SignInFailed', 'ProofFailed', 'LockedOut'],
};

/** The security log as a file. */
const exported = (items: Pages<ListedEvent>): Exported<ListedEvent> => ({
  name: 'security-log',
  items,
  columns: {
    id: ({ id }) => id,
    createdAt: ({ createdAt }) => createdAt,
    userId: ({ userId }) => userId,
    userName: ({ userName }) => userName,
    kind: ({ kind }) => kind,
    detail: ({ detail }) => detail,
    remoteAddress: ({ remoteAddress }) => remoteAddress,
    userAgent: ({ userAgent }) => userAgent,
    client: ({ client }) => client,
  },
});

@Group('SecurityLog')
@Controller('account/security-log')
export class SecurityLogController {
  constructor(private readonly events: SecurityLogRepository) {}

  @Get()
  @RequireAuthenticated()
  @Describe('Read your security log', `Your sign-ins, including failed ones, and changes of how you sign in. ${PAGING}`)
  @Answers(200, 'A page of the entries.', SecurityLogResponseDto, {
    403: 'The caller is not a user, or signed in with the link of a logon token.',
  })
  async own(@Context() { manager, principal }: RequestContext, @Query() query: SecurityLogQueryDto): Promise<SecurityLogResponseDto> {
    requireNoLogonToken(principal);
    return { items: await this.events.page(manager, { userId: userIdOf(principal), kinds: null }, query.after, query.pageSize) };
  }

  @Get('export')
  @RequireAuthenticated()
  @Describe('Export your security log', `All entries, newest first, as a file of JSON lines or as a table.`)
  @Answers(200, 'The file.', JSONL, { 403: 'The caller is not a user, or signed in with the link of a logon token.' }, EXPORT_HEADERS)
  exportOwn(
    @Context() { manager, principal }: RequestContext,
    @Query() { format }: SecurityLogExportQueryDto,
    @Res() response: Response,
  ): Promise<void> {
    requireNoLogonToken(principal);
    return streamExport(response, format, exported(this.events.all(manager, { userId: userIdOf(principal), kinds: null })));
  }

  @Get('tenant/export')
  @TenantInQuery()
  @RequireAccess(Permission.TenantUsersRead)
  @Describe('Export the security log of a tenant', 'All entries that match, newest first, as a file of JSON lines or as a table.')
  @Answers(200, 'The file.', JSONL, {}, EXPORT_HEADERS)
  exportOfTenant(
    @Context() { manager, tenantId }: TenantContext,
    @Query() { format, userId, part }: TenantSecurityLogExportQueryDto,
    @Res() response: Response,
  ): Promise<void> {
    const kinds = part === null ? null : KINDS_OF_PARTS[part];
    return streamExport(response, format, exported(this.events.all(manager, { tenantId, userId, kinds })));
  }

  @Get('tenant')
  @TenantInQuery()
  @RequireAccess(Permission.TenantUsersRead)
  @Describe('Read the security log of a tenant', `Sign-ins of the users of a tenant and changes of how they sign in. ${PAGING}`)
  @Answers(200, 'A page of the entries.', SecurityLogResponseDto)
  async ofTenant(@Context() context: TenantContext, @Query() query: TenantSecurityLogQueryDto): Promise<SecurityLogResponseDto> {
    const { manager, tenantId } = context;
    const { userId, part, after, pageSize } = query;
    const kinds = part === null ? null : KINDS_OF_PARTS[part];
    return { items: await this.events.page(manager, { tenantId, userId, kinds }, after, pageSize) };
  }
}
