import { EnumName } from '../../../platform/http/binding/enum-fields.js';
import { Bool, Guid, ListOf, Nested, Text } from '../../../platform/http/binding/fields.js';
import { SCOPE_KIND } from '../../authorization/permissions/permission-names.js';
import type { PermissionPrincipalKind, PermissionScopeKind } from '../../authorization/permissions/permission.js';
import { DecidingAssignmentDto, QUERIED_PRINCIPAL_KIND, type QueriedPrincipalKind } from '../effective/effective-permission.dto.js';
import { PermissionAssignmentDto, PermissionCatalogEntryDto, PermissionPresetDto } from '../permission-assignment.dto.js';

const MAXIMUM_SEARCH_LENGTH = 200;

export class HeldPermissionsQueryDto {
  @EnumName('Kind of the principal.', QUERIED_PRINCIPAL_KIND) principalKind: QueriedPrincipalKind;
  @Guid('Id of the principal.') principalId: string;
}

export class HoldingGroupDto {
  @Guid('Id of the user group.') id: string;
  @Text('Name of the user group; null if the caller may not read user groups.', { nullable: true, example: 'Helpdesk' }) name:
    string | null;
}

export class ScopeNameDto {
  @EnumName('Kind of the scope.', SCOPE_KIND) scopeKind: PermissionScopeKind;
  @Guid('Id of what the scope kind names.') scopeId: string;
  @Text('Its name.', { example: 'Contoso' }) name: string;
}

const SCOPES = 'Names of the scopes of the assignments. Those that the caller may not read are left out.';

export class HeldPermissionsResponseDto {
  @ListOf('The assignments of the principal itself, by permission.', () => PermissionAssignmentDto) assignments: PermissionAssignmentDto[];
  @ListOf('The assignments of the user groups that a user is in, by permission.', () => PermissionAssignmentDto)
  groupAssignments: PermissionAssignmentDto[];
  @ListOf('The user groups that a user is in, by name.', () => HoldingGroupDto) groups: HoldingGroupDto[];
  @ListOf(SCOPES, () => ScopeNameDto) scopes: ScopeNameDto[];
  @Bool('True if the lists are complete. For a principal with more than 10,000 assignments or 1,000 groups they hold the first ones.')
  isComplete: boolean;
}

export class EffectivePermissionsQueryDto extends HeldPermissionsQueryDto {
  @EnumName('Kind of the scope that is asked about.', SCOPE_KIND) scopeKind: PermissionScopeKind;
  @Guid('Id of what is asked about. Not given at Server scope; the tenant of the caller at Tenant scope.', { nullable: true })
  scopeId: string | null;
}

export class EffectivePermissionDto {
  @Text('Name of the permission.', { example: 'device.terminal.use' }) permissionName: string;
  @Bool('True if the principal holds the permission at the scope.') isAllowed: boolean;
  @Text('Reason of the refusal, for people; null if the permission is allowed.', { nullable: true, example: null }) denyReason:
    string | null;
  @Nested('The assignment that decides; null if none matches, or if the caller may not see it.', () => DecidingAssignmentDto, {
    nullable: true,
  })
  decidingAssignment: DecidingAssignmentDto | null;
}

export class EffectivePermissionsResponseDto {
  @ListOf('Every permission that can be assigned at the scope, by name.', () => EffectivePermissionDto) items: EffectivePermissionDto[];
  @ListOf('The user groups that deciding assignments come through.', () => HoldingGroupDto) groups: HoldingGroupDto[];
  @ListOf(SCOPES, () => ScopeNameDto) scopes: ScopeNameDto[];
}

export class PrincipalNamesQueryDto {
  @Text('Part of the name, in any case.', { nullable: true, max: MAXIMUM_SEARCH_LENGTH, example: 'anna' }) search: string | null;
  @Guid('Id of a principal that the answer names in any case.', { nullable: true }) principalId: string | null;
}

export class PrincipalNameDto {
  @EnumName('Kind of the principal.', QUERIED_PRINCIPAL_KIND) principalKind: PermissionPrincipalKind;
  @Guid('Id of the principal.') principalId: string;
  @Text('Name of the principal.', { example: 'anna@contoso.example' }) name: string;
}

export class PrincipalNamesResponseDto {
  @ListOf('The first 50 principals by name, and the one that the call names.', () => PrincipalNameDto) items: PrincipalNameDto[];
}

export class GrantablePermissionsResponseDto {
  @ListOf('Every permission.', () => PermissionCatalogEntryDto) catalog: PermissionCatalogEntryDto[];
  @ListOf('The presets.', () => PermissionPresetDto) presets: PermissionPresetDto[];
}
