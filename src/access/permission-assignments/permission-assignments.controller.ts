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
const EXISTS = 'The principal has the same assignment already: permission, effect and scope are equal.';
const RIGHTS =
  ' A Deny also needs `tenant.permissions.deny`; an assignment at Server scope, or of a server service account, needs `server.permissions.write`.';

@Group('PermissionAssignments')
@Controller('api/v1/permission-assignments')
@TenantInQuery()
export class PermissionAssignmentsController {
  constructor(private readonly assignments: PermissionAssignmentsService) {}

  @Get()
  @RequireAccess(Permission.TenantPermissionsRead)
  @Describe(
    'List the assignments of a principal',
    'The assignments that the principal holds itself. Those of its user groups are listed for the groups. Assignments at Server scope need `server.permissions.read` to be seen.',
  )
  @Answers(200, 'The assignments.', PermissionAssignmentsResponseDto)
  list(@Context() context: TenantContext, @Query() query: PermissionAssignmentsQueryDto, @Res() response: Response): Promise<void> {
    return streamJson(response, { items: this.assignments.list(context, query) });
  }

  @Get('catalog')
  @RequireAccess(Permission.TenantPermissionsRead)
  @Describe(
    'List the permissions',
    'Every permission of the service with the scope kinds at which it can be assigned. The same for all tenants.',
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
    'List what a principal has made',
    'Accounts, credentials, tokens, installer keys and assignments of the tenant that the principal made and that still exist. They keep their rights when their maker loses its own: who denies a principal something can end these, too. What the change log no longer holds is left out, except for installer keys and assignments.',
  )
  @Answers(200, 'What the principal made.', MadeThingsResponseDto)
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
  @Describe('Create several assignments', `All of one principal; all are stored, or none.${RIGHTS}`)
  @Answers(204, 'All assignments were created.', null, { 409: EXISTS })
  createMany(@Context() context: TenantContext, @Body() body: CreateManyPermissionAssignmentsRequestDto): Promise<void> {
    return this.assignments.createMany(context, body.assignments);
  }

  @Post('batch-delete')
  @HttpCode(200)
  @RequireAccess(Permission.TenantPermissionsWrite)
  @Describe(
    'Delete several assignments',
    'Deletes the assignments that exist and says which ids did not. If one of them needs a permission that the caller does not hold, none is deleted.',
  )
  @Answers(200, 'Which assignments were deleted and which do not exist.', DeleteManyPermissionAssignmentsResponseDto)
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
    `Grants the permissions of presets, each at Tenant scope where that is possible, else at Server scope. What the principal is allowed there already is skipped.${RIGHTS}`,
  )
  @Answers(200, 'How many assignments were created or enabled.', jsonInt32(5))
  applyPresets(@Context() context: TenantContext, @Body() body: ApplyPermissionPresetsRequestDto): Promise<number> {
    const { principalKind, principalId, presetNames, replaceExisting } = body;
    return this.assignments.applyPresets(context, { principalKind, principalId }, presetNames, replaceExisting);
  }

  @Post('replace')
  @HttpCode(204)
  @RequireAccess(Permission.TenantPermissionsWrite)
  @Describe(
    'Replace the assignments of a principal',
    `Deletes the assignments of the principal at the scope kinds that occur in the list, and creates those of the list. Assignments at other scope kinds stay.${RIGHTS}`,
  )
  @Answers(204, 'The assignments were replaced.', null, { 409: 'The list holds the same assignment twice.' })
  replace(@Context() context: TenantContext, @Body() body: ReplacePermissionAssignmentsRequestDto): Promise<void> {
    const { principalKind, principalId, assignments } = body;
    return this.assignments.replace(context, { principalKind, principalId }, assignments);
  }

  @Put(':assignmentId')
  @RequireAccess(Permission.TenantPermissionsWrite)
  @Describe(
    'Change an assignment',
    `Changes everything but the principal. The rights are needed for the old values and for the new ones.${RIGHTS}`,
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
  @Describe('Delete an assignment', `The principal loses what the assignment allowed, or gains what it denied.${RIGHTS}`)
  @Answers(204, 'The assignment is gone.', null, { 404: UNKNOWN })
  remove(@Context() context: TenantContext, @GuidParam('assignmentId', ASSIGNMENT_ID) assignmentId: string): Promise<void> {
    return this.assignments.remove(context, assignmentId);
  }
}
