import type { PermissionEffect, PermissionPrincipalKind, PermissionScopeKind } from '../authorization/permission.js';
import { EFFECT, PRINCIPAL_KIND, SCOPE_KIND } from '../authorization/permission-names.js';
import { EnumName } from '../http/binding/enum-fields.js';
import { Bool, Guid, GuidList, Instant, ListOf, Text, TextList } from '../http/binding/fields.js';

/** Most assignments, or ids of assignments, in one request. */
export const MAXIMUM_BATCH = 1_000;

/** Most preset names in one request; there are only a handful of presets. */
const MAXIMUM_PRESET_NAMES = 100;
const MAXIMUM_PRESET_NAME_LENGTH = 100;

export class PermissionAssignmentDto {
  @Guid('') id: string;
  @EnumName('', PRINCIPAL_KIND) principalKind: PermissionPrincipalKind;
  @Guid('') principalId: string;
  @Text('') permissionName: string;
  @EnumName('', EFFECT) effect: PermissionEffect;
  @EnumName('', SCOPE_KIND) scopeKind: PermissionScopeKind;
  @Guid('Null at Server scope.', { nullable: true }) scopeId: string | null;
  @Text('', { nullable: true }) notes: string | null;
  @Bool('') isEnabled: boolean;
  @Instant('') createdAt: Date;
}

export class PermissionAssignmentsResponseDto {
  @ListOf('', () => PermissionAssignmentDto) items: PermissionAssignmentDto[];
}

/** Whose assignments are listed. */
export class PermissionAssignmentsQueryDto {
  @EnumName('', PRINCIPAL_KIND) principalKind: PermissionPrincipalKind;
  @Guid('') principalId: string;
}

export class PermissionCatalogEntryDto {
  @Text('') name: string;
  @Text('') displayName: string;
  @Text('') categoryLabel: string;
  @Text('') description: string;
  @TextList('The scope kinds at which the permission may be assigned.', { maxLength: 50 }) allowedScopeKinds: string[];
  @Bool('Whether principals may take the permission from themselves.') selfRemovable: boolean;
}

export class PermissionCatalogResponseDto {
  @ListOf('', () => PermissionCatalogEntryDto) items: PermissionCatalogEntryDto[];
}

export class PermissionPresetDto {
  @Text('') name: string;
  @TextList('', { maxLength: 150 }) permissions: string[];
}

export class PermissionPresetsResponseDto {
  @ListOf('', () => PermissionPresetDto) items: PermissionPresetDto[];
}

export class CreatePermissionAssignmentRequestDto {
  @EnumName('', PRINCIPAL_KIND) principalKind: PermissionPrincipalKind;
  @Guid('') principalId: string;
  @Text('', { min: 1, max: 150 }) permissionName: string;
  @EnumName('', EFFECT) effect: PermissionEffect;
  @EnumName('', SCOPE_KIND) scopeKind: PermissionScopeKind;
  @Guid('Null at Server scope; at Tenant scope it is the named tenant, whatever is sent.', { nullable: true })
  scopeId: string | null;
  @Text('', { nullable: true, max: 500 }) notes: string | null;
  @Bool('', { default: true }) isEnabled: boolean;
}

export class UpdatePermissionAssignmentRequestDto {
  @Text('', { min: 1, max: 150 }) permissionName: string;
  @EnumName('', EFFECT) effect: PermissionEffect;
  @EnumName('', SCOPE_KIND) scopeKind: PermissionScopeKind;
  @Guid('Null at Server scope; at Tenant scope it is the named tenant, whatever is sent.', { nullable: true })
  scopeId: string | null;
  @Text('', { nullable: true, max: 500 }) notes: string | null;
  @Bool('') isEnabled: boolean;
}

export class CreateManyPermissionAssignmentsRequestDto {
  @ListOf('All of one principal.', () => CreatePermissionAssignmentRequestDto, { min: 1, max: MAXIMUM_BATCH })
  assignments: CreatePermissionAssignmentRequestDto[];
}

export class ReplacePermissionAssignmentsRequestDto {
  @EnumName('', PRINCIPAL_KIND) principalKind: PermissionPrincipalKind;
  @Guid('') principalId: string;
  @ListOf('All of the principal named beside.', () => CreatePermissionAssignmentRequestDto, { min: 1, max: MAXIMUM_BATCH })
  assignments: CreatePermissionAssignmentRequestDto[];
}

export class DeleteManyPermissionAssignmentsRequestDto {
  @GuidList('', { max: MAXIMUM_BATCH }) assignmentIds: string[];
}

export class DeleteManyPermissionAssignmentsResponseDto {
  @GuidList('') successIds: string[];
  @GuidList('Ids that are unknown, or of assignments that the caller cannot see.') failureIds: string[];
}

export class ApplyPermissionPresetsRequestDto {
  @EnumName('', PRINCIPAL_KIND) principalKind: PermissionPrincipalKind;
  @Guid('') principalId: string;
  @TextList('', { min: 1, max: MAXIMUM_PRESET_NAMES, maxLength: MAXIMUM_PRESET_NAME_LENGTH }) presetNames: string[];
  @Bool('Whether the presets replace what the principal holds at the scope kinds that they use.', { default: false })
  replaceExisting: boolean;
}
