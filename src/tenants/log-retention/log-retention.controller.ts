import { Body, Controller, Get, Put } from '@nestjs/common';

import { Context, type TenantContext } from '../../access/authentication/principals/request-context.js';
import { RequireAccess, TenantInQueryOrOfCaller } from '../../access/authorization/guard/access.js';
import { Permission } from '../../access/authorization/permissions/permission.js';
import type { ExpectedTags } from '../../platform/common/resources/entity-tag.js';
import { IfMatch, Tagged } from '../../platform/http/bodies/entity-tags.js';
import { Answers, Describe, Group } from '../../system/openapi/operation.js';
import { LogRetentionDto, LogRetentionRequestDto } from './log-retention.dto.js';
import { logRetentionState, LogRetentionService } from './log-retention.service.js';

@Group('LogRetention')
@Controller('account/log-retention')
@TenantInQueryOrOfCaller()
export class LogRetentionController {
  constructor(private readonly retention: LogRetentionService) {}

  @Get()
  @Tagged(logRetentionState)
  @RequireAccess(Permission.TenantSettingsRead)
  @Describe(
    'Read how long logs are kept',
    'In days: what the tenant chose, what the server keeps at most, and the fewest that can be chosen.',
  )
  @Answers(200, 'The days of each log.', LogRetentionDto)
  get(@Context() context: TenantContext): Promise<LogRetentionDto> {
    return this.retention.get(context);
  }

  @Put()
  @Tagged(logRetentionState)
  @RequireAccess(Permission.TenantSettingsWrite)
  @Describe(
    'Change how long logs are kept',
    'A log that is left out is kept for as long as the server keeps it. Older entries are removed within a day, and cannot be restored. The change has an entry in the change log of the tenant and in that of the server.',
  )
  @Answers(200, 'The days of each log as they are now.', LogRetentionDto)
  change(
    @Context() context: TenantContext,
    @Body() body: LogRetentionRequestDto,
    @IfMatch() expected: ExpectedTags | undefined,
  ): Promise<LogRetentionDto> {
    return this.retention.change(context, body, expected);
  }
}
