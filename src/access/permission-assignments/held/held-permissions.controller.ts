import { Controller, Get, Query } from '@nestjs/common';

import { Answers, Describe, Group } from '../../../system/openapi/operation.js';
import { Context, type TenantContext } from '../../authentication/principals/request-context.js';
import { RequireAccess, TenantOfCaller } from '../../authorization/guard/access.js';
import { Permission } from '../../authorization/permissions/permission.js';
import {
  EffectivePermissionsQueryDto,
  EffectivePermissionsResponseDto,
  GrantablePermissionsResponseDto,
  HeldPermissionsQueryDto,
  HeldPermissionsResponseDto,
  PrincipalNamesQueryDto,
  PrincipalNamesResponseDto,
} from './held-permissions.dto.js';
import { CATALOG_ENTRIES, PRESETS } from '../permission-lists.js';
import { HeldPermissionsService } from './held-permissions.service.js';

@Group('HeldPermissions')
@Controller('account')
@TenantOfCaller()
export class HeldPermissionsController {
  constructor(private readonly permissions: HeldPermissionsService) {}

  @Get('held-permissions')
  @RequireAccess(Permission.TenantPermissionsRead)
  @Describe(
    'Get the permissions of a principal',
    'Its own assignments and those of its user groups, with the names of groups and scopes that the caller may read. To see assignments at Server scope, the caller needs `server.permissions.read`.',
  )
  @Answers(200, 'The assignments.', HeldPermissionsResponseDto, { 404: 'The tenant has no such principal.' })
  held(@Context() context: TenantContext, @Query() query: HeldPermissionsQueryDto): Promise<HeldPermissionsResponseDto> {
    return this.permissions.held(context, query);
  }

  @Get('effective-permissions')
  @RequireAccess(Permission.TenantPermissionsRead)
  @Describe(
    'Evaluate every permission of a principal',
    'Evaluates each permission that can be assigned at the scope as a request of the principal would, and returns the deciding assignments.',
  )
  @Answers(200, 'The permissions, each with its decision.', EffectivePermissionsResponseDto, {
    404: 'The principal or the scope does not belong to the tenant.',
  })
  everything(@Context() context: TenantContext, @Query() query: EffectivePermissionsQueryDto): Promise<EffectivePermissionsResponseDto> {
    return this.permissions.everything(context, query);
  }

  @Get('principals')
  @RequireAccess(Permission.TenantPermissionsRead)
  @Describe(
    'Find principals by name',
    'To find users, the caller needs `tenant.users.read`; for user groups `tenant.user-groups.read`, for service accounts `service-account.read`.',
  )
  @Answers(200, 'The first matches, sorted by name.', PrincipalNamesResponseDto)
  principals(@Context() context: TenantContext, @Query() query: PrincipalNamesQueryDto): Promise<PrincipalNamesResponseDto> {
    return this.permissions.principals(context, query);
  }

  @Get('grantable-permissions')
  @RequireAccess(Permission.PersonalAccessTokenSelfWrite)
  @Describe(
    'Get the permissions for tokens',
    'Every permission and every preset, as `GET /api/v1/permission-assignments/catalog` and `…/presets` return them, for users who create tokens of their own.',
  )
  @Answers(200, 'The permissions and the presets.', GrantablePermissionsResponseDto)
  grantable(): GrantablePermissionsResponseDto {
    return { catalog: [...CATALOG_ENTRIES], presets: [...PRESETS] };
  }
}
