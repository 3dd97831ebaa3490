import { Controller, Get, Query } from '@nestjs/common';

import { Answers, Describe, Group } from '../../../system/openapi/operation.js';
import { Context, type TenantContext } from '../../authentication/principals/request-context.js';
import { RequireAccess, TenantOfCaller } from '../../authorization/guard/access.js';
import { Permission } from '../../authorization/permissions/permission.js';
import { PermissionHoldersQueryDto, PermissionHoldersResponseDto } from './permission-holder.dto.js';
import { PermissionHoldersService } from './permission-holders.service.js';

@Group('PermissionHolders')
@Controller('account/holders')
@TenantOfCaller()
export class PermissionHoldersController {
  constructor(private readonly holders: PermissionHoldersService) {}

  @Get()
  @RequireAccess(Permission.TenantPermissionsRead)
  @Describe(
    'List the holders of a permission',
    'The users, user groups and service accounts of the tenant that have the permission, each with the assignment that allows it. Service accounts of the server and tokens are not included.',
  )
  @Answers(200, 'A page of the holders.', PermissionHoldersResponseDto, { 404: 'The tenant has no such scope.' })
  query(@Context() context: TenantContext, @Query() query: PermissionHoldersQueryDto): Promise<PermissionHoldersResponseDto> {
    return this.holders.query(context, query);
  }
}
