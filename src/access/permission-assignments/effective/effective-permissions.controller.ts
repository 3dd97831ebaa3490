import { Controller, Get, Query } from '@nestjs/common';

import { GuidParam } from '../../../platform/http/binding/route-parameters.js';
import { Answers, Describe, Group } from '../../../system/openapi/operation.js';
import { Context, type TenantContext } from '../../authentication/principals/request-context.js';
import { RequireAccess, TenantInQuery } from '../../authorization/guard/access.js';
import { Permission } from '../../authorization/permissions/permission.js';
import { EffectivePermissionQueryDto, EffectivePermissionQueryResponseDto } from './effective-permission.dto.js';
import { EffectivePermissionsService } from './effective-permissions.service.js';

@Group('EffectivePermissions')
@Controller('api/v1/effective-permissions')
@TenantInQuery()
export class EffectivePermissionsController {
  constructor(private readonly effectivePermissions: EffectivePermissionsService) {}

  @Get(':principalId')
  @RequireAccess(Permission.TenantPermissionsRead)
  @Describe(
    'Evaluate a permission of a principal',
    'Evaluates the permission at the scope as a request of the principal would, including all its groups, and returns the deciding assignment.',
  )
  @Answers(200, 'The decision, and its reason.', EffectivePermissionQueryResponseDto, {
    404: 'The principal or the scope does not belong to the tenant.',
  })
  query(
    @Context() context: TenantContext,
    @GuidParam('principalId', 'Id of the principal.') principalId: string,
    @Query() query: EffectivePermissionQueryDto,
  ): Promise<EffectivePermissionQueryResponseDto> {
    return this.effectivePermissions.query(context, principalId, query);
  }
}
