import { EnumName, namesOf } from '../../../platform/http/binding/enum-fields.js';
import { Bool, Guid, Nested, Text } from '../../../platform/http/binding/fields.js';
import { EFFECT, SCOPE_KIND } from '../../authorization/permissions/permission-names.js';
import { PermissionPrincipalKind, type PermissionEffect, type PermissionScopeKind } from '../../authorization/permissions/permission.js';

/** Kinds of principals whose effective permissions can be asked for. */
export type QueriedPrincipalKind =
  PermissionPrincipalKind.User | PermissionPrincipalKind.UserGroup | PermissionPrincipalKind.ServiceAccount;

export const QUERIED_PRINCIPAL_KIND = namesOf('QueriedPrincipalKind', PermissionPrincipalKind, {}, [
  PermissionPrincipalKind.PersonalAccessToken,
  PermissionPrincipalKind.LogonToken,
]);

export class EffectivePermissionQueryDto {
  @EnumName('Kind of the principal.', QUERIED_PRINCIPAL_KIND)
  principalKind: QueriedPrincipalKind;
  @Text('Name of the permission, from the catalogue.', { min: 1, max: 150, example: 'device.terminal.use' }) permissionName: string;
  @EnumName('Kind of the scope that is asked about.', SCOPE_KIND) scopeKind: PermissionScopeKind;
  @Guid('Id of what is asked about. Not given at Server scope; the named tenant at Tenant scope.', { nullable: true })
  scopeId: string | null;
}

/** The assignment that decides. */
export class DecidingAssignmentDto {
  @Guid('Id of the assignment.') assignmentId: string;
  @EnumName('Effect of the assignment: it grants or refuses the permission.', EFFECT) effect: PermissionEffect;
  @EnumName('Kind of its scope.', SCOPE_KIND) scopeKind: PermissionScopeKind;
  @Guid('Id of what its scope kind names; null at Server scope.', { nullable: true }) scopeId: string | null;
  @Guid("Id of the user group that it comes through; null if it is the principal's own.", { nullable: true })
  throughUserGroupId: string | null;
}

export class EffectivePermissionQueryResponseDto {
  @Bool('True if the principal holds the permission at the scope.') isAllowed: boolean;
  @Text('Reason of the refusal, for people; null if the permission is allowed.', { nullable: true, example: null }) denyReason:
    string | null;
  @Nested('The assignment that decides; null if none matches, or if the caller may not see it.', () => DecidingAssignmentDto, {
    nullable: true,
  })
  decidingAssignment: DecidingAssignmentDto | null;
}
