import { PermissionPrincipalKind } from '../../access/authorization/permissions/permission.js';
import type { PrincipalReference } from '../../access/permission-assignments/assignment.js';

/** Objects that are deleted with a user, as the change log records them. */
export interface UserBelongings {
  readonly personalAccessTokens: readonly { readonly id: string; readonly name: string }[];
  readonly userGroupIds: readonly string[];
  /** The invite of an account that is not activated yet, or null. */
  readonly inviteId: string | null;
}

/** The principals that are deleted with a user and can hold assignments: the user and its tokens. */
export function principalsOf(userId: string, { personalAccessTokens }: UserBelongings): PrincipalReference[] {
  return [
    { principalKind: PermissionPrincipalKind.User, principalId: userId },
    ...personalAccessTokens.map(({ id }) => ({ principalKind: PermissionPrincipalKind.PersonalAccessToken, principalId: id })),
  ];
}
