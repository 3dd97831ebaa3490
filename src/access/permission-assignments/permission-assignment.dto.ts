import { EnumName } from '../../platform/http/binding/enum-fields.js';
import { Bool, Guid, GuidList, Instant, ListOf, Text, TextList } from '../../platform/http/binding/fields.js';
import { EFFECT, PRINCIPAL_KIND, SCOPE_KIND } from '../authorization/permissions/permission-names.js';
import type { PermissionEffect, PermissionPrincipalKind, PermissionScopeKind } from '../authorization/permissions/permission.js';

/** Most assignments, or ids of assignments, in one request. */
const MAXIMUM_BATCH = 1_000;

/** Most preset names in one request; there are only a handful of presets. */
const MAXIMUM_PRESET_NAMES = 100;
const MAXIMUM_PRESET_NAME_LENGTH = 100;

const PRINCIPAL_KIND_MEANS = 'Kind of the principal.';
const PRINCIPAL_ID = 'Id of the principal.';
const PERMISSION_NAME = 'Name of the permission, from the catalogue.';
const EXAMPLE_PERMISSION = 'device.terminal.use';
const EFFECT_MEANS = 'Effect of the assignment: it grants or refuses the permission.';
const SCOPE_KIND_MEANS = 'Kind of the scope. The permission must be assignable there.';
const SCOPE_ID = 'Id of what the scope kind names. Null at Server scope; null means the named tenant at Tenant scope.';
const NOTES = 'Notes for people.';
const EXAMPLE_NOTES = 'On call in March';
const ENABLED = 'True if the assignment counts. A disabled one neither allows nor denies.';

export class PermissionAssignmentDto {
  @Guid('Id of the assignment.') id: string;
  @EnumName(PRINCIPAL_KIND_MEANS, PRINCIPAL_KIND) principalKind: PermissionPrincipalKind;
  @Guid(PRINCIPAL_ID) principalId: string;
  @Text(PERMISSION_NAME, { example: EXAMPLE_PERMISSION }) permissionName: string;
  @EnumName(EFFECT_MEANS, EFFECT) effect: PermissionEffect;
  @EnumName(SCOPE_KIND_MEANS, SCOPE_KIND) scopeKind: PermissionScopeKind;
  @Guid('Id of what the scope kind names; null at Server scope.', { nullable: true }) scopeId: string | null;
  @Text(NOTES, { nullable: true, example: EXAMPLE_NOTES }) notes: string | null;
  @Bool(ENABLED) isEnabled: boolean;
  @Instant('Creation time of the assignment.') createdAt: Date;
}

export class PermissionAssignmentsResponseDto {
  @ListOf('The assignments, by permission and kind of scope.', () => PermissionAssignmentDto) items: PermissionAssignmentDto[];
}

/** The principal whose assignments are listed. */
export class PermissionAssignmentsQueryDto {
  @EnumName(PRINCIPAL_KIND_MEANS, PRINCIPAL_KIND) principalKind: PermissionPrincipalKind;
  @Guid(PRINCIPAL_ID) principalId: string;
}

export class PermissionCatalogEntryDto {
  @Text('Name of the permission.', { example: EXAMPLE_PERMISSION }) name: string;
  @Text('Name for people.', { example: 'Use Terminal' }) displayName: string;
  @Text('Heading under which permissions are shown together.', { example: 'Devices' }) categoryLabel: string;
  @Text('Action that the permission allows.', { example: 'Open terminals on the device.' }) description: string;
  @TextList('Scope kinds at which the permission can be assigned, narrowest first.', {
    maxLength: 50,
    example: ['Device', 'DeviceGroup', 'CustomerTenant', 'Tenant', 'Server'],
  })
  allowedScopeKinds: string[];
  @Bool('True if a principal may remove the permission from itself.') selfRemovable: boolean;
}

export class PermissionCatalogResponseDto {
  @ListOf('The permissions.', () => PermissionCatalogEntryDto) items: PermissionCatalogEntryDto[];
}

export class PermissionPresetDto {
  @Text('Name of the preset.', { example: 'Agent Installer' }) name: string;
  @TextList('Names of its permissions.', { maxLength: 150, example: ['agent.install', 'installer-key.read', 'installer-key.write'] })
  permissions: string[];
}

export class PermissionPresetsResponseDto {
  @ListOf('The presets.', () => PermissionPresetDto) items: PermissionPresetDto[];
}

export class CreatePermissionAssignmentRequestDto {
  @EnumName(PRINCIPAL_KIND_MEANS, PRINCIPAL_KIND) principalKind: PermissionPrincipalKind;
  @Guid(PRINCIPAL_ID) principalId: string;
  @Text(PERMISSION_NAME, { min: 1, max: 150, example: EXAMPLE_PERMISSION }) permissionName: string;
  @EnumName(EFFECT_MEANS, EFFECT) effect: PermissionEffect;
  @EnumName(SCOPE_KIND_MEANS, SCOPE_KIND) scopeKind: PermissionScopeKind;
  @Guid(SCOPE_ID, { nullable: true })
  scopeId: string | null;
  @Text(NOTES, { nullable: true, max: 500, example: EXAMPLE_NOTES }) notes: string | null;
  @Bool(ENABLED, { default: true }) isEnabled: boolean;
}

export class UpdatePermissionAssignmentRequestDto {
  @Text(PERMISSION_NAME, { min: 1, max: 150, example: EXAMPLE_PERMISSION }) permissionName: string;
  @EnumName(EFFECT_MEANS, EFFECT) effect: PermissionEffect;
  @EnumName(SCOPE_KIND_MEANS, SCOPE_KIND) scopeKind: PermissionScopeKind;
  @Guid(`${SCOPE_ID} A new scopeKind needs a scopeId of its own.`, { nullable: true, unchangedIfOmitted: true })
  scopeId?: string | null;
  @Text(NOTES, { nullable: true, unchangedIfOmitted: true, max: 500, example: EXAMPLE_NOTES }) notes?: string | null;
  @Bool(ENABLED) isEnabled: boolean;
}

export class CreateManyPermissionAssignmentsRequestDto {
  @ListOf('The assignments to create, all of one principal.', () => CreatePermissionAssignmentRequestDto, { min: 1, max: MAXIMUM_BATCH })
  assignments: CreatePermissionAssignmentRequestDto[];
}

export class ReplacePermissionAssignmentsRequestDto {
  @EnumName(PRINCIPAL_KIND_MEANS, PRINCIPAL_KIND) principalKind: PermissionPrincipalKind;
  @Guid(PRINCIPAL_ID) principalId: string;
  @ListOf(
    'The assignments that the principal has afterwards at these scope kinds. All of the principal named above.',
    () => CreatePermissionAssignmentRequestDto,
    { min: 1, max: MAXIMUM_BATCH },
  )
  assignments: CreatePermissionAssignmentRequestDto[];
}

export class DeleteManyPermissionAssignmentsRequestDto {
  @GuidList('Ids of the assignments to delete.', { max: MAXIMUM_BATCH }) assignmentIds: string[];
}

export class DeleteManyPermissionAssignmentsResponseDto {
  @GuidList('Ids of the assignments that were deleted.') successIds: string[];
  @GuidList('Ids that do not exist, or that the caller may not see.') failureIds: string[];
}

export class ApplyPermissionPresetsRequestDto {
  @EnumName(PRINCIPAL_KIND_MEANS, PRINCIPAL_KIND) principalKind: PermissionPrincipalKind;
  @Guid(PRINCIPAL_ID) principalId: string;
  @TextList('Names of the presets, in any case.', {
    min: 1,
    max: MAXIMUM_PRESET_NAMES,
    maxLength: MAXIMUM_PRESET_NAME_LENGTH,
    example: ['Agent Installer'],
  })
  presetNames: string[];
  @Bool('True to replace the assignments of the principal at the scope kinds that the presets use.', { default: false })
  replaceExisting: boolean;
}
