import { Body, Controller, Get, Put } from '@nestjs/common';

import { Context, type TenantContext } from '../../access/authentication/principals/request-context.js';
import { RequireAccess, TenantOfCaller } from '../../access/authorization/guard/access.js';
import { Permission } from '../../access/authorization/permissions/permission.js';
import type { ExpectedTags } from '../../platform/common/resources/entity-tag.js';
import { IfMatch, Tagged } from '../../platform/http/bodies/entity-tags.js';
import { Answers, Describe, Group } from '../../system/openapi/operation.js';
import { GetTenantResponseDto, UpdateTenantRequestDto } from './tenant.dto.js';
import { tenantState, TenantsService } from './tenants.service.js';

/** The tenant of the caller, for those who look after its settings. Tenants of others take permissions of the server. */
@Group('Tenants')
@Controller('account/tenant')
@TenantOfCaller()
export class OwnTenantController {
  constructor(private readonly tenants: TenantsService) {}

  @Get()
  @Tagged(tenantState)
  @RequireAccess(Permission.TenantSettingsRead)
  @Describe('Get your tenant', "Returns the name of the caller's tenant.")
  @Answers(200, 'The tenant.', GetTenantResponseDto)
  get(@Context() context: TenantContext): Promise<GetTenantResponseDto> {
    return this.tenants.get(context, context.tenantId);
  }

  @Put()
  @Tagged(tenantState)
  @RequireAccess(Permission.TenantSettingsWrite)
  @Describe('Rename your tenant', "Changes only the name of the caller's tenant.")
  @Answers(200, 'The tenant with its new name.', GetTenantResponseDto)
  rename(
    @Context() context: TenantContext,
    @Body() { name }: UpdateTenantRequestDto,
    @IfMatch() expected: ExpectedTags | undefined,
  ): Promise<GetTenantResponseDto> {
    return this.tenants.rename(context, context.tenantId, name, expected);
  }
}
