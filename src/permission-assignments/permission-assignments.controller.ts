import { Body, Controller, Delete, Get, Header, HttpCode, Post, Put, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';

import { Context, type TenantContext } from '../authentication/request-context.js';
import { RequireAccess, TenantInQuery } from '../authorization/access.js';
import { Permission } from '../authorization/permission.js';
import { GuidParam } from '../http/binding/route-parameters.js';
import { Answers, jsonInt32 } from '../openapi/operation.js';
import {
  ApplyPermissionPresetsRequestDto,
  CreateManyPermissionAssignmentsRequestDto,
  CreatePermissionAssignmentRequestDto,
  DeleteManyPermissionAssignmentsRequestDto,
  DeleteManyPermissionAssignmentsResponseDto,
  PermissionAssignmentDto,
  PermissionAssignmentsQueryDto,
  PermissionAssignmentsResponseDto,
  PermissionCatalogResponseDto,
  PermissionPresetsResponseDto,
  ReplacePermissionAssignmentsRequestDto,
  UpdatePermissionAssignmentRequestDto,
} from './permission-assignment.dto.js';
import { PermissionAssignmentsService } from './permission-assignments.service.js';

@ApiTags('PermissionAssignments')
@Controller('api/v1/permission-assignments')
@TenantInQuery()
export class PermissionAssignmentsController {
  constructor(private readonly assignments: PermissionAssignmentsService) {}

  @Get()
  @RequireAccess(Permission.TenantPermissionsRead)
  @Answers(200, '', PermissionAssignmentsResponseDto)
  async list(@Context() context: TenantContext, @Query() query: PermissionAssignmentsQueryDto): Promise<PermissionAssignmentsResponseDto> {
    return { items: await this.assignments.list(context, query) };
  }

  @Get('catalog')
  @RequireAccess(Permission.TenantPermissionsRead)
  @Answers(200, '', PermissionCatalogResponseDto)
  catalog(): PermissionCatalogResponseDto {
    return { items: this.assignments.catalog() };
  }

  @Get('presets')
  @RequireAccess(Permission.TenantPermissionsRead)
  @Answers(200, '', PermissionPresetsResponseDto)
  presets(): PermissionPresetsResponseDto {
    return { items: this.assignments.presets() };
  }

  @Post()
  @RequireAccess(Permission.TenantPermissionsWrite)
  @Answers(201, '', PermissionAssignmentDto, { 404: '', 409: '' })
  create(@Context() context: TenantContext, @Body() body: CreatePermissionAssignmentRequestDto): Promise<PermissionAssignmentDto> {
    return this.assignments.create(context, body);
  }

  @Post('batch')
  @HttpCode(204)
  @RequireAccess(Permission.TenantPermissionsWrite)
  @Answers(204, '', null, { 404: '', 409: '' })
  createMany(@Context() context: TenantContext, @Body() body: CreateManyPermissionAssignmentsRequestDto): Promise<void> {
    return this.assignments.createMany(context, body.assignments);
  }

  @Post('batch-delete')
  @HttpCode(200)
  @RequireAccess(Permission.TenantPermissionsWrite)
  @Answers(200, '', DeleteManyPermissionAssignmentsResponseDto, { 404: '' })
  removeMany(
    @Context() context: TenantContext,
    @Body() body: DeleteManyPermissionAssignmentsRequestDto,
  ): Promise<DeleteManyPermissionAssignmentsResponseDto> {
    return this.assignments.removeMany(context, body.assignmentIds);
  }

  @Post('presets/apply')
  @HttpCode(200)
  @Header('Content-Type', 'application/json; charset=utf-8')
  @RequireAccess(Permission.TenantPermissionsWrite)
  @Answers(200, '', jsonInt32(5), { 404: '' })
  applyPresets(@Context() context: TenantContext, @Body() body: ApplyPermissionPresetsRequestDto): Promise<number> {
    const { principalKind, principalId, presetNames, replaceExisting } = body;
    return this.assignments.applyPresets(context, { principalKind, principalId }, presetNames, replaceExisting);
  }

  @Post('replace')
  @HttpCode(204)
  @RequireAccess(Permission.TenantPermissionsWrite)
  @Answers(204, '', null, { 404: '', 409: '' })
  replace(@Context() context: TenantContext, @Body() body: ReplacePermissionAssignmentsRequestDto): Promise<void> {
    const { principalKind, principalId, assignments } = body;
    return this.assignments.replace(context, { principalKind, principalId }, assignments);
  }

  @Put(':assignmentId')
  @RequireAccess(Permission.TenantPermissionsWrite)
  @Answers(200, '', PermissionAssignmentDto, { 404: '', 409: '' })
  update(
    @Context() context: TenantContext,
    @GuidParam('assignmentId', '') assignmentId: string,
    @Body() body: UpdatePermissionAssignmentRequestDto,
  ): Promise<PermissionAssignmentDto> {
    return this.assignments.update(context, assignmentId, body);
  }

  @Delete(':assignmentId')
  @HttpCode(204)
  @RequireAccess(Permission.TenantPermissionsWrite)
  @Answers(204, '', null, { 404: '' })
  remove(@Context() context: TenantContext, @GuidParam('assignmentId', '') assignmentId: string): Promise<void> {
    return this.assignments.remove(context, assignmentId);
  }
}
