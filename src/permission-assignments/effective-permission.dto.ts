import { PermissionEffect, PermissionPrincipalKind, PermissionScopeKind } from '../authorization/permission.js';
import { Bool, EnumName, Guid, Nested, Text } from '../http/binding/fields.js';

/** Kinds of principals whose effective permissions can be asked for. */
export type QueriedPrincipalKind =
  PermissionPrincipalKind.User | PermissionPrincipalKind.UserGroup | PermissionPrincipalKind.ServiceAccount;

export class EffectivePermissionQueryDto {
  @EnumName(PermissionPrincipalKind, {
    name: 'PermissionPrincipalKind',
    except: [PermissionPrincipalKind.PersonalAccessToken, PermissionPrincipalKind.LogonToken],
  })
  principalKind: QueriedPrincipalKind;
  @Text({ min: 1, max: 150 }) permissionName: string;
  @EnumName(PermissionScopeKind, { name: 'PermissionScopeKind', except: [PermissionScopeKind.Unknown] }) scopeKind: PermissionScopeKind;
  @Guid({ nullable: true, description: 'What is asked about; not at Server scope, and the named tenant at Tenant scope.' })
  scopeId: string | null;
}

/** The assignment that decided. */
export class DecidingAssignmentDto {
  @Guid() assignmentId: string;
  @EnumName(PermissionEffect, { name: 'PermissionEffect' }) effect: PermissionEffect;
  @EnumName(PermissionScopeKind, { name: 'PermissionScopeKind' }) scopeKind: PermissionScopeKind;
  @Guid({ nullable: true }) scopeId: string | null;
  @Guid({ nullable: true, description: 'The user group that brings it; null when it is of the principal itself.' })
  throughUserGroupId: string | null;
}

export class EffectivePermissionQueryResponseDto {
  @Bool() isAllowed: boolean;
  @Text({ nullable: true, description: 'Null when it is allowed. For people to read.' }) denyReason: string | null;
  @Nested(() => DecidingAssignmentDto, { nullable: true, description: 'Null when none matched, or when the caller may not see it.' })
  decidingAssignment: DecidingAssignmentDto | null;
}
