import { PermissionPrincipalKind, type PermissionEffect, type PermissionScopeKind } from '../authorization/permission.js';
import { EFFECT, SCOPE_KIND } from '../authorization/permission-names.js';
import { EnumName, namesOf } from '../http/binding/enum-fields.js';
import { Bool, Guid, Nested, Text } from '../http/binding/fields.js';

/** Kinds of principals whose effective permissions can be asked for. */
export type QueriedPrincipalKind =
  PermissionPrincipalKind.User | PermissionPrincipalKind.UserGroup | PermissionPrincipalKind.ServiceAccount;

const QUERIED_PRINCIPAL_KIND = namesOf('QueriedPrincipalKind', PermissionPrincipalKind, {}, [
  PermissionPrincipalKind.PersonalAccessToken,
  PermissionPrincipalKind.LogonToken,
]);

export class EffectivePermissionQueryDto {
  @EnumName('', QUERIED_PRINCIPAL_KIND)
  principalKind: QueriedPrincipalKind;
  @Text('', { min: 1, max: 150 }) permissionName: string;
  @EnumName('', SCOPE_KIND) scopeKind: PermissionScopeKind;
  @Guid('What is asked about; not at Server scope, and the named tenant at Tenant scope.', { nullable: true })
  scopeId: string | null;
}

/** The assignment that decided. */
export class DecidingAssignmentDto {
  @Guid('') assignmentId: string;
  @EnumName('', EFFECT) effect: PermissionEffect;
  @EnumName('', SCOPE_KIND) scopeKind: PermissionScopeKind;
  @Guid('', { nullable: true }) scopeId: string | null;
  @Guid('The user group that brings it; null when it is of the principal itself.', { nullable: true })
  throughUserGroupId: string | null;
}

export class EffectivePermissionQueryResponseDto {
  @Bool('') isAllowed: boolean;
  @Text('Null when it is allowed. For people to read.', { nullable: true }) denyReason: string | null;
  @Nested('Null when none matched, or when the caller may not see it.', () => DecidingAssignmentDto, { nullable: true })
  decidingAssignment: DecidingAssignmentDto | null;
}
