import { Controller, Get, Res } from '@nestjs/common';
import type { Response } from 'express';

import { Context, type TenantContext } from '../../access/authentication/principals/request-context.js';
import { RequireAccess, TenantOfCaller } from '../../access/authorization/guard/access.js';
import { Permission } from '../../access/authorization/permissions/permission.js';
import { GuidParam } from '../../platform/http/binding/route-parameters.js';
import { streamJson } from '../../platform/http/bodies/json-stream.js';
import { Answers, Describe, Group } from '../../system/openapi/operation.js';
import { MembershipsResponseDto, UserMembershipsResponseDto } from './membership.dto.js';
import { MembershipsService } from './memberships.service.js';

@Group('UserGroups')
@Controller('account/memberships')
@TenantOfCaller()
export class MembershipsController {
  constructor(private readonly memberships: MembershipsService) {}

  @Get()
  @RequireAccess(Permission.TenantUserGroupsRead)
  @Describe('List the memberships of all users', 'One row for each user in a user group, so that lists of users need one call.')
  @Answers(200, 'The users with their groups.', MembershipsResponseDto)
  list(@Context() context: TenantContext, @Res() response: Response): Promise<void> {
    return streamJson(response, { items: this.memberships.byUser(context) });
  }

  @Get(':userId')
  @RequireAccess(Permission.TenantUserGroupsRead)
  @Describe('List the user groups of a user', 'The user groups of which the user is a member.')
  @Answers(200, 'The groups.', UserMembershipsResponseDto, { 404: 'The tenant has no such user.' })
  async ofUser(
    @Context() context: TenantContext,
    @GuidParam('userId', 'Id of the user.') userId: string,
    @Res() response: Response,
  ): Promise<void> {
    return streamJson(response, { items: await this.memberships.ofUser(context, userId) });
  }
}
