import { Body, Controller, Delete, Get, HttpCode, Post, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';

import { Context, type RequestContext } from '../authentication/request-context.js';
import { on, RequireAccess, TenantIsObject } from '../authorization/access.js';
import { Permission } from '../authorization/permission.js';
import { GuidParam } from '../http/binding/route-parameters.js';
import { Answers } from '../openapi/operation.js';
import {
  CreateTenantRequestDto,
  CreateTenantResponseDto,
  GetTenantResponseDto,
  TenantsResponseDto,
  UpdateTenantRequestDto,
} from './tenant.dto.js';
import { TenantsService } from './tenants.service.js';

@ApiTags('Tenants')
@Controller('api/v1/tenants')
export class TenantsController {
  constructor(private readonly tenants: TenantsService) {}

  @Post()
  @RequireAccess(Permission.ServerTenantsWrite, on.server)
  @Answers(201, '', CreateTenantResponseDto, { 400: '' })
  create(@Context() context: RequestContext, @Body() body: CreateTenantRequestDto): Promise<CreateTenantResponseDto> {
    return this.tenants.create(context, body.name);
  }

  @Get()
  @RequireAccess(Permission.ServerTenantsRead, on.server)
  @Answers(200, '', TenantsResponseDto)
  async list(@Context() context: RequestContext): Promise<TenantsResponseDto> {
    return { items: await this.tenants.list(context) };
  }

  @Get(':tenantId')
  @TenantIsObject()
  @RequireAccess(Permission.ServerTenantsRead, on.server)
  @Answers(200, '', GetTenantResponseDto, { 404: '' })
  get(@Context() context: RequestContext, @GuidParam('tenantId', '') tenantId: string): Promise<GetTenantResponseDto> {
    return this.tenants.get(context, tenantId);
  }

  @Put(':tenantId')
  @TenantIsObject()
  @RequireAccess(Permission.ServerTenantsWrite, on.server)
  @Answers(200, '', GetTenantResponseDto, { 404: '' })
  rename(
    @Context() context: RequestContext,
    @GuidParam('tenantId', '') tenantId: string,
    @Body() body: UpdateTenantRequestDto,
  ): Promise<GetTenantResponseDto> {
    return this.tenants.rename(context, tenantId, body.name);
  }

  @Delete(':tenantId')
  @HttpCode(204)
  @TenantIsObject()
  @RequireAccess(Permission.ServerTenantsDelete, on.server)
  @Answers(204, '', null, { 404: '' })
  remove(@Context() context: RequestContext, @GuidParam('tenantId', '') tenantId: string): Promise<void> {
    return this.tenants.remove(context, tenantId);
  }
}
