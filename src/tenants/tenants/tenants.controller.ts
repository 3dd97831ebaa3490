import { Body, Controller, Delete, Get, HttpCode, Post, Put, Res } from '@nestjs/common';
import type { Response } from 'express';

import { Context, type RequestContext } from '../../access/authentication/principals/request-context.js';
import { on, RequireAccess, TenantIsObject } from '../../access/authorization/guard/access.js';
import { Permission } from '../../access/authorization/permissions/permission.js';
import type { ExpectedTags } from '../../platform/common/resources/entity-tag.js';
import { LocatedAt } from '../../platform/http/addresses/created-location.js';
import { GuidParam } from '../../platform/http/binding/route-parameters.js';
import { IfMatch, Tagged } from '../../platform/http/bodies/entity-tags.js';
import { streamJson } from '../../platform/http/bodies/json-stream.js';
import { Answers, Describe, Group } from '../../system/openapi/operation.js';
import {
  CreateTenantRequestDto,
  CreateTenantResponseDto,
  GetTenantResponseDto,
  TenantContentsDto,
  TenantRemovalsResponseDto,
  TenantsResponseDto,
  UpdateTenantRequestDto,
} from './tenant.dto.js';
import { tenantState, TenantsService } from './tenants.service.js';

const TENANT_ID = 'Id of the tenant.';
const UNKNOWN = 'There is no such tenant.';

@Group('Tenants')
@Controller('api/v1/tenants')
export class TenantsController {
  constructor(private readonly tenants: TenantsService) {}

  @Post()
  @Tagged(tenantState)
  @RequireAccess(Permission.ServerTenantsWrite, on.server)
  @LocatedAt('/api/v1/tenants/{tenantId}')
  @Describe(
    'Create a tenant',
    'A new tenant is empty: it has no users, no devices and no permission assignments. Several tenants may have the same name.',
  )
  @Answers(201, 'The new tenant.', CreateTenantResponseDto)
  create(@Context() context: RequestContext, @Body() body: CreateTenantRequestDto): Promise<CreateTenantResponseDto> {
    return this.tenants.create(context, body.name);
  }

  @Get()
  @RequireAccess(Permission.ServerTenantsRead, on.server)
  @Describe('List the tenants', 'All tenants of the server, sorted by name.')
  @Answers(200, 'The tenants.', TenantsResponseDto)
  list(@Context() context: RequestContext, @Res() response: Response): Promise<void> {
    return streamJson(response, { items: this.tenants.list(context) });
  }

  @Get('removals')
  @RequireAccess(Permission.ServerTenantsRead, on.server)
  @Describe(
    'List the tenants whose deletion is in progress',
    'Deleted tenants whose devices, users and other rows are not all deleted yet. A small tenant is deleted completely before the answer.',
  )
  @Answers(200, 'The tenants, with the number of devices that remain.', TenantRemovalsResponseDto)
  removals(@Context() context: RequestContext, @Res() response: Response): Promise<void> {
    return streamJson(response, { items: this.tenants.removals(context) });
  }

  @Get(':tenantId')
  @Tagged(tenantState)
  @TenantIsObject()
  @RequireAccess(Permission.ServerTenantsRead, on.server)
  @Describe('Get a tenant', 'Returns the name of the tenant.')
  @Answers(200, 'The tenant.', GetTenantResponseDto, { 404: UNKNOWN })
  get(@Context() context: RequestContext, @GuidParam('tenantId', TENANT_ID) tenantId: string): Promise<GetTenantResponseDto> {
    return this.tenants.get(context, tenantId);
  }

  @Get(':tenantId/contents')
  @TenantIsObject()
  @RequireAccess(Permission.ServerTenantsRead, on.server)
  @Describe('Count the contents of a tenant', 'The numbers of objects that a deletion of the tenant deletes.')
  @Answers(200, 'The numbers.', TenantContentsDto, { 404: UNKNOWN })
  contents(@Context() context: RequestContext, @GuidParam('tenantId', TENANT_ID) tenantId: string): Promise<TenantContentsDto> {
    return this.tenants.contents(context, tenantId);
  }

  @Put(':tenantId')
  @Tagged(tenantState)
  @TenantIsObject()
  @RequireAccess(Permission.ServerTenantsWrite, on.server)
  @Describe('Rename a tenant', 'Changes only the name.')
  @Answers(200, 'The tenant with its new name.', GetTenantResponseDto, { 404: UNKNOWN })
  rename(
    @Context() context: RequestContext,
    @GuidParam('tenantId', TENANT_ID) tenantId: string,
    @Body() body: UpdateTenantRequestDto,
    @IfMatch() expected: ExpectedTags | undefined,
  ): Promise<GetTenantResponseDto> {
    return this.tenants.rename(context, tenantId, body.name, expected);
  }

  @Delete(':tenantId')
  @HttpCode(204)
  @TenantIsObject()
  @RequireAccess(Permission.ServerTenantsDelete, on.server)
  @Describe(
    'Delete a tenant',
    'Deletes everything in the tenant: devices, users, accounts, keys, groups, permission assignments and settings. This cannot be undone. The service then refuses the agents of its devices. After the answer, no request finds the tenant; the rows of a large tenant are deleted in the background, as `GET /api/v1/tenants/removals` shows.',
  )
  @Answers(204, 'The tenant is deleted.', null, { 404: UNKNOWN })
  remove(
    @Context() context: RequestContext,
    @GuidParam('tenantId', TENANT_ID) tenantId: string,
    @IfMatch() expected: ExpectedTags | undefined,
  ): Promise<void> {
    return this.tenants.remove(context, tenantId, expected);
  }
}
