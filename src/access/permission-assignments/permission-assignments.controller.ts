import { Body, Controller, Delete, Get, Header, HttpCode, Post, Put, Query, Res } from '@nestjs/common';
import type { Response } from 'express';

import { GuidParam } from '../../platform/http/binding/route-parameters.js';
import { streamJson } from '../../platform/http/bodies/json-stream.js';
import { Answers, Describe, Group, jsonInt32 } from '../../system/openapi/operation.js';
import { Context, type TenantContext } from '../authentication/principals/request-context.js';
import { RequireAccess, TenantInQuery } from '../authorization/guard/access.js';
import { Permission } from '../authorization/permissions/permission.js';
import { MadeThingsQueryDto, MadeThingsResponseDto } from './created-objects/made-thing.dto.js';
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

const ASSIGNMENT_ID = 'Id of the assignment.';
const UNKNOWN = 'The tenant has no such assignment that the caller may see.';
const EXISTS = 'The principal already has an assignment with the same permission, effect and scope.';
const RIGHTS =
  ' For a Deny, the caller also needs `tenant.permissions.deny`; at Server scope, or for a server service account, `server.permissions.write`.';

@Group('PermissionAssignments')
@Controller('api/v1/permission-assignments')
@TenantInQuery()
export class PermissionAssignmentsController {
  constructor(private readonly assignments: PermissionAssignmentsService) {}

  @Get()
  @RequireAccess(Permission.TenantPermissionsRead)
  @Describe(
    'List the assignments of a principal',
    'The assignments of the principal itself. Those of its user groups are listed for the groups. To see assignments at Server scope, the caller needs `server.permissions.read`.',
  )
  @Answers(200, 'The assignments.', PermissionAssignmentsResponseDto)
  list(@Context() context: TenantContext, @Query() query: PermissionAssignmentsQueryDto, @Res() response: Response): Promise<void> {
    return streamJson(response, { items: this.assignments.list(context, query) });
  }

  @Get('catalog')
  @RequireAccess(Permission.TenantPermissionsRead)
  @Describe(
    'List the permissions',
    'Every permission of the service with the scope kinds at which it can be assigned. All tenants have the same permissions.',
  )
  @Answers(200, 'The permissions.', PermissionCatalogResponseDto)
  catalog(): PermissionCatalogResponseDto {
    return { items: this.assignments.catalog() };
  }

  @Get('presets')
  @RequireAccess(Permission.TenantPermissionsRead)
  @Describe('List the presets', 'Named sets of permissions that can be granted in one step.')
  @Answers(200, 'The presets.', PermissionPresetsResponseDto)
  presets(): PermissionPresetsResponseDto {
    return { items: this.assignments.presets() };
  }

  @Get('made')
  @RequireAccess(Permission.TenantPermissionsRead)
  @Describe(
    'List the objects that a principal created',
    'Existing accounts, credentials, tokens, installer keys and assignments of the tenant that the principal created. They keep their permissions when their creator loses its own, so after a Deny for the creator you may want to end them too. Except for installer keys and assignments, objects are listed only as long as the change log has their creation.',
  )
  @Answers(200, 'The objects.', MadeThingsResponseDto)
  madeBy(@Context() context: TenantContext, @Query() { principalId }: MadeThingsQueryDto, @Res() response: Response): Promise<void> {
    return streamJson(response, { items: this.assignments.createdBy(context, principalId) });
  }

  @Post()
  @RequireAccess(Permission.TenantPermissionsWrite)
  @Describe('Create an assignment', `Allows or denies a principal one permission at one scope.${RIGHTS}`)
  @Answers(201, 'The new assignment.', PermissionAssignmentDto, { 409: EXISTS })
  create(@Context() context: TenantContext, @Body() body: CreatePermissionAssignmentRequestDto): Promise<PermissionAssignmentDto> {
    return this.assignments.create(context, body);
  }

  @Post('batch')
  @HttpCode(204)
  @RequireAccess(Permission.TenantPermissionsWrite)
  @Describe('Create several assignments', `All for one principal. The service stores all of them, or none.${RIGHTS}`)
  @Answers(204, 'All assignments were created.', null, { 409: EXISTS })
  createMany(@Context() context: TenantContext, @Body() body: CreateManyPermissionAssignmentsRequestDto): Promise<void> {
    return this.assignments.createMany(context, body.assignments);
  }

  @Post('batch-delete')
  @HttpCode(200)
  @RequireAccess(Permission.TenantPermissionsWrite)
  @Describe(
    'Delete several assignments',
    'Deletes the existing assignments and returns the ids that do not exist. If the caller lacks a permission for one of them, the service deletes none.',
  )
  @Answers(200, 'The deleted assignments, and the ids that do not exist.', DeleteManyPermissionAssignmentsResponseDto)
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
  @Describe(
    'Apply presets',
    `Grants the permissions of presets, each at Tenant scope if possible, otherwise at Server scope. Permissions that the principal already has there are skipped.${RIGHTS}`,
  )
  @Answers(200, 'The number of assignments that were created or enabled.', jsonInt32(5))
  applyPresets(@Context() context: TenantContext, @Body() body: ApplyPermissionPresetsRequestDto): Promise<number> {
    const { principalKind, principalId, presetNames, replaceExisting } = body;
    return this.assignments.applyPresets(context, { principalKind, principalId }, presetNames, replaceExisting);
  }

  @Post('replace')
  @HttpCode(204)
  @RequireAccess(Permission.TenantPermissionsWrite)
  @Describe(
    'Replace the assignments of a principal',
    `Deletes the assignments of the principal at the scope kinds in the list, and creates the assignments in the list. Assignments at other scope kinds stay.${RIGHTS}`,
  )
  @Answers(204, 'The assignments were replaced.', null, { 409: 'The list contains the same assignment twice.' })
  replace(@Context() context: TenantContext, @Body() body: ReplacePermissionAssignmentsRequestDto): Promise<void> {
    const { principalKind, principalId, assignments } = body;
    return this.assignments.replace(context, { principalKind, principalId }, assignments);
  }

  @Put(':assignmentId')
  @RequireAccess(Permission.TenantPermissionsWrite)
  @Describe(
    'Change an assignment',
    `Changes everything except the principal. The caller needs the rights for the old and the new values.${RIGHTS}`,
  )
  @Answers(200, 'The changed assignment.', PermissionAssignmentDto, { 404: UNKNOWN, 409: EXISTS })
  update(
    @Context() context: TenantContext,
    @GuidParam('assignmentId', ASSIGNMENT_ID) assignmentId: string,
    @Body() body: UpdatePermissionAssignmentRequestDto,
  ): Promise<PermissionAssignmentDto> {
    return this.assignments.update(context, assignmentId, body);
  }

  @Delete(':assignmentId')
  @HttpCode(204)
  @RequireAccess(Permission.TenantPermissionsWrite)
  @Describe('Delete an assignment', `The principal loses a permission that the assignment allowed, or gains one that it denied.${RIGHTS}`)
  @Answers(204, 'The assignment is deleted.', null, { 404: UNKNOWN })
  remove(@Context() context: TenantContext, @GuidParam('assignmentId', ASSIGNMENT_ID) assignmentId: string): Promise<void> {
    return this.assignments.remove(context, assignmentId);
  }
}
