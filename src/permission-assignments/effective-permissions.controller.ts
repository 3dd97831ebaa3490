import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';

import { Context, type TenantContext } from '../authentication/request-context.js';
import { RequireAccess, TenantInQuery } from '../authorization/access.js';
import { Permission } from '../authorization/permission.js';
import { GuidParam } from '../http/binding/route-parameters.js';
import { Answers } from '../openapi/operation.js';
import { EffectivePermissionQueryDto, EffectivePermissionQueryResponseDto } from './effective-permission.dto.js';
import { EffectivePermissionsService } from './effective-permissions.service.js';

@ApiTags('EffectivePermissions')
@Controller('api/v1/effective-permissions')
@TenantInQuery()
export class EffectivePermissionsController {
  constructor(private readonly effectivePermissions: EffectivePermissionsService) {}

  @Get(':principalId')
  @RequireAccess(Permission.TenantPermissionsRead)
  @Answers(200, '', EffectivePermissionQueryResponseDto, { 404: '' })
  query(
    @Context() context: TenantContext,
    @GuidParam('principalId', '') principalId: string,
    @Query() query: EffectivePermissionQueryDto,
  ): Promise<EffectivePermissionQueryResponseDto> {
    return this.effectivePermissions.query(context, principalId, query);
  }
}
