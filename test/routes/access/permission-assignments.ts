import { about, answering, newAssignment } from '../calls.js';
import type { Resource } from '../resource.js';

const onAssignment = about('assignmentId', (scene) => scene.assignment());

export const permissionAssignments: Resource = {
  tag: 'PermissionAssignments',
  routes: {
    'GET /api/v1/permission-assignments': {
      access: 'tenant.permissions.read on tenant',
      tenant: 'query',
      query: { principalKind: 'string, required', principalId: 'string(uuid), required' },
      answers: { 200: 'PermissionAssignmentsResponseDto' },
      errors: [400, 403],
      call: async (scene) => ({
        status: 200,
        query: { principalKind: 'User', principalId: (await scene.user()).id },
      }),
    },
    'GET /api/v1/permission-assignments/catalog': {
      access: 'tenant.permissions.read on tenant',
      tenant: 'query',
      answers: { 200: 'PermissionCatalogResponseDto' },
      errors: [400, 403],
      call: answering(200),
    },
    'GET /api/v1/permission-assignments/presets': {
      access: 'tenant.permissions.read on tenant',
      tenant: 'query',
      answers: { 200: 'PermissionPresetsResponseDto' },
      errors: [400, 403],
      call: answering(200),
    },
    'GET /api/v1/permission-assignments/made': {
      access: 'tenant.permissions.read on tenant',
      tenant: 'query',
      query: { principalId: 'string(uuid), required' },
      answers: { 200: 'MadeThingsResponseDto' },
      errors: [400, 403],
      call: async (scene) => ({ status: 200, query: { principalId: (await scene.user()).id } }),
    },
    'POST /api/v1/permission-assignments': {
      access: 'tenant.permissions.write on tenant',
      tenant: 'query',
      body: 'CreatePermissionAssignmentRequestDto',
      answers: { 201: 'PermissionAssignmentDto' },
      errors: [400, 403, 404],
      call: async (scene) => ({ status: 201, body: await newAssignment(scene) }),
      writes: ['permission-assignment-created'],
    },
    'POST /api/v1/permission-assignments/batch': {
      access: 'tenant.permissions.write on tenant',
      tenant: 'query',
      body: 'CreateManyPermissionAssignmentsRequestDto',
      answers: { 204: 'nothing' },
      errors: [400, 403, 404],
      call: async (scene) => ({
        status: 204,
        body: { assignments: [await newAssignment(scene)] },
      }),
      writes: ['permission-assignment-created'],
    },
    'POST /api/v1/permission-assignments/batch-delete': {
      access: 'tenant.permissions.write on tenant',
      tenant: 'query',
      body: 'DeleteManyPermissionAssignmentsRequestDto',
      answers: { 200: 'DeleteManyPermissionAssignmentsResponseDto' },
      errors: [400, 403, 404],
      call: async (scene) => ({
        status: 200,
        body: { assignmentIds: [(await scene.assignment()).id] },
      }),
      writes: ['permission-assignment-deleted'],
    },
    'POST /api/v1/permission-assignments/presets/apply': {
      access: 'tenant.permissions.write on tenant',
      tenant: 'query',
      body: 'ApplyPermissionPresetsRequestDto',
      answers: { 200: 'integer(int32)' },
      errors: [400, 403, 404],
      call: async (scene) => ({
        status: 200,
        body: { principalKind: 'User', principalId: (await scene.user()).id, presetNames: ['Agent Installer'], replaceExisting: false },
      }),
      writes: ['permission-assignment-created'],
    },
    'POST /api/v1/permission-assignments/replace': {
      access: 'tenant.permissions.write on tenant',
      tenant: 'query',
      body: 'ReplacePermissionAssignmentsRequestDto',
      answers: { 204: 'nothing' },
      errors: [400, 403, 404],
      call: async (scene) => {
        const assignment = await newAssignment(scene);
        return { status: 204, body: { principalKind: 'User', principalId: assignment.principalId, assignments: [assignment] } };
      },
      writes: ['permission-assignment-created'],
    },
    'PUT /api/v1/permission-assignments/:assignmentId': {
      access: 'tenant.permissions.write on tenant',
      tenant: 'query',
      body: 'UpdatePermissionAssignmentRequestDto',
      answers: { 200: 'PermissionAssignmentDto' },
      errors: [400, 403, 404],
      call: async (scene) => {
        const { principalKind: _kind, principalId: _id, ...values } = await newAssignment(scene);
        return { status: 200, path: { assignmentId: (await scene.assignment()).id }, body: values };
      },
      writes: ['permission-assignment-updated'],
    },
    'DELETE /api/v1/permission-assignments/:assignmentId': {
      access: 'tenant.permissions.write on tenant',
      tenant: 'query',
      answers: { 204: 'nothing' },
      errors: [400, 403, 404],
      call: onAssignment(204),
      writes: ['permission-assignment-deleted'],
    },
  },
  schemas: {
    ApplyPermissionPresetsRequestDto: {
      principalKind: 'PermissionPrincipalKind, required',
      principalId: 'string(uuid), required',
      presetNames: 'list of string minItems=1, required',
      replaceExisting: 'boolean, required',
    },
    CreateManyPermissionAssignmentsRequestDto: {
      assignments: 'list of CreatePermissionAssignmentRequestDto minItems=1 maxItems=1000, required',
    },
    CreatePermissionAssignmentRequestDto: {
      principalKind: 'PermissionPrincipalKind, required',
      principalId: 'string(uuid), required',
      permissionName: 'string minLength=1 maxLength=150, required',
      effect: 'PermissionEffect, required',
      scopeKind: 'PermissionScopeKind, required',
      scopeId: 'string(uuid) or null',
      notes: 'string or null maxLength=500',
      isEnabled: 'boolean',
    },
    DeleteManyPermissionAssignmentsRequestDto: { assignmentIds: 'list of string(uuid) maxItems=1000, required' },
    DeleteManyPermissionAssignmentsResponseDto: { successIds: 'list of string(uuid)', failureIds: 'list of string(uuid)' },
    PermissionAssignmentDto: {
      id: 'string(uuid)',
      principalKind: 'PermissionPrincipalKind',
      principalId: 'string(uuid)',
      permissionName: 'string',
      effect: 'PermissionEffect',
      scopeKind: 'PermissionScopeKind',
      scopeId: 'string(uuid) or null',
      notes: 'string or null',
      isEnabled: 'boolean',
      createdAt: 'string(date-time)',
    },
    PermissionAssignmentsResponseDto: { items: 'list of PermissionAssignmentDto' },
    PermissionCatalogEntryDto: {
      name: 'string',
      displayName: 'string',
      categoryLabel: 'string',
      description: 'string',
      allowedScopeKinds: 'list of PermissionScopeKind',
      selfRemovable: 'boolean',
    },
    PermissionCatalogResponseDto: { items: 'list of PermissionCatalogEntryDto' },
    PermissionEffect: ['Allow', 'Deny'],
    PermissionPresetDto: { name: 'string', permissions: 'list of string' },
    PermissionPresetsResponseDto: { items: 'list of PermissionPresetDto' },
    PermissionPrincipalKind: ['User', 'UserGroup', 'ServiceAccount', 'PersonalAccessToken', 'LogonToken'],
    ReplacePermissionAssignmentsRequestDto: {
      principalKind: 'PermissionPrincipalKind, required',
      principalId: 'string(uuid), required',
      assignments: 'list of CreatePermissionAssignmentRequestDto minItems=1 maxItems=1000, required',
    },
    UpdatePermissionAssignmentRequestDto: {
      permissionName: 'string minLength=1 maxLength=150, required',
      effect: 'PermissionEffect, required',
      scopeKind: 'PermissionScopeKind, required',
      scopeId: 'string(uuid) or null',
      notes: 'string or null maxLength=500',
      isEnabled: 'boolean, required',
    },
  },
};
