import { PermissionEffect, PermissionPrincipalKind, PermissionScopeKind } from '../authorization/permission.js';
import { Bool, EnumName, Guid, GuidList, Instant, ListOf, Text, TextList } from '../http/binding/fields.js';

/** Most assignments, or ids of assignments, in one request. */
export const MAXIMUM_BATCH = 1_000;

/** Most preset names in one request; there are only a handful of presets. */
const MAXIMUM_PRESET_NAMES = 100;
const MAXIMUM_PRESET_NAME_LENGTH = 100;

const PRINCIPAL_KIND = { name: 'PermissionPrincipalKind' };
const EFFECT = { name: 'PermissionEffect' };
const SCOPE_KIND = { name: 'PermissionScopeKind' };
/** A scope kind in a request: `Unknown` is what an omitted one would be, and is legal for no permission. */
const REQUESTED_SCOPE_KIND = { ...SCOPE_KIND, except: [PermissionScopeKind.Unknown] };

export class PermissionAssignmentDto {
  @Guid() id: string;
  @EnumName(PermissionPrincipalKind, PRINCIPAL_KIND) principalKind: PermissionPrincipalKind;
  @Guid() principalId: string;
  @Text() permissionName: string;
  @EnumName(PermissionEffect, EFFECT) effect: PermissionEffect;
  @EnumName(PermissionScopeKind, SCOPE_KIND) scopeKind: PermissionScopeKind;
  @Guid({ nullable: true, description: 'Null at Server scope.' }) scopeId: string | null;
  @Text({ nullable: true }) notes: string | null;
  @Bool() isEnabled: boolean;
  @Instant() createdAt: Date;
}

export class PermissionAssignmentsResponseDto {
  @ListOf(() => PermissionAssignmentDto) items: PermissionAssignmentDto[];
}

/** Whose assignments are listed. */
export class PermissionAssignmentsQueryDto {
  @EnumName(PermissionPrincipalKind, PRINCIPAL_KIND) principalKind: PermissionPrincipalKind;
  @Guid() principalId: string;
}

export class PermissionCatalogEntryDto {
  @Text() name: string;
  @Text() displayName: string;
  @Text() categoryLabel: string;
  @Text() description: string;
  @TextList({ maxLength: 50, description: 'The scope kinds at which the permission may be assigned.' }) allowedScopeKinds: string[];
  @Bool({ description: 'Whether principals may take the permission from themselves.' }) selfRemovable: boolean;
}

export class PermissionCatalogResponseDto {
  @ListOf(() => PermissionCatalogEntryDto) items: PermissionCatalogEntryDto[];
}

export class PermissionPresetDto {
  @Text() name: string;
  @TextList({ maxLength: 150 }) permissions: string[];
}

export class PermissionPresetsResponseDto {
  @ListOf(() => PermissionPresetDto) items: PermissionPresetDto[];
}

export class CreatePermissionAssignmentRequestDto {
  @EnumName(PermissionPrincipalKind, PRINCIPAL_KIND) principalKind: PermissionPrincipalKind;
  @Guid() principalId: string;
  @Text({ min: 1, max: 150 }) permissionName: string;
  @EnumName(PermissionEffect, EFFECT) effect: PermissionEffect;
  @EnumName(PermissionScopeKind, REQUESTED_SCOPE_KIND) scopeKind: PermissionScopeKind;
  @Guid({ nullable: true, description: 'Null at Server scope; at Tenant scope it is the named tenant, whatever is sent.' })
  scopeId: string | null;
  @Text({ nullable: true, max: 500 }) notes: string | null;
  @Bool({ default: true }) isEnabled: boolean;
}

export class UpdatePermissionAssignmentRequestDto {
  @Text({ min: 1, max: 150 }) permissionName: string;
  @EnumName(PermissionEffect, EFFECT) effect: PermissionEffect;
  @EnumName(PermissionScopeKind, REQUESTED_SCOPE_KIND) scopeKind: PermissionScopeKind;
  @Guid({ nullable: true, description: 'Null at Server scope; at Tenant scope it is the named tenant, whatever is sent.' })
  scopeId: string | null;
  @Text({ nullable: true, max: 500 }) notes: string | null;
  @Bool() isEnabled: boolean;
}

export class CreateManyPermissionAssignmentsRequestDto {
  @ListOf(() => CreatePermissionAssignmentRequestDto, { min: 1, max: MAXIMUM_BATCH, description: 'All of one principal.' })
  assignments: CreatePermissionAssignmentRequestDto[];
}

export class ReplacePermissionAssignmentsRequestDto {
  @EnumName(PermissionPrincipalKind, PRINCIPAL_KIND) principalKind: PermissionPrincipalKind;
  @Guid() principalId: string;
  @ListOf(() => CreatePermissionAssignmentRequestDto, { min: 1, max: MAXIMUM_BATCH, description: 'All of the principal named beside.' })
  assignments: CreatePermissionAssignmentRequestDto[];
}

export class DeleteManyPermissionAssignmentsRequestDto {
  @GuidList({ max: MAXIMUM_BATCH }) assignmentIds: string[];
}

export class DeleteManyPermissionAssignmentsResponseDto {
  @GuidList({}) successIds: string[];
  @GuidList({ description: 'Ids that are unknown, or of assignments that the caller cannot see.' }) failureIds: string[];
}

export class ApplyPermissionPresetsRequestDto {
  @EnumName(PermissionPrincipalKind, PRINCIPAL_KIND) principalKind: PermissionPrincipalKind;
  @Guid() principalId: string;
  @TextList({ min: 1, max: MAXIMUM_PRESET_NAMES, maxLength: MAXIMUM_PRESET_NAME_LENGTH }) presetNames: string[];
  @Bool({ default: false, description: 'Whether the presets replace what the principal holds at the scope kinds that they use.' })
  replaceExisting: boolean;
}
