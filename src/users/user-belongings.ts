import { PermissionPrincipalKind } from '../authorization/permission.js';
import type { PrincipalReference } from '../permission-assignments/assignment.js';

/** What goes with a user who is deleted, as the change log keeps it. */
export interface UserBelongings {
  readonly personalAccessTokens: readonly { readonly id: string; readonly name: string }[];
  readonly userGroupIds: readonly string[];
  /** The invite that the account waits for, or null. */
  readonly inviteId: string | null;
}

/** The user and its tokens: all of it that can hold assignments. */
export function principalsOf(userId: string, { personalAccessTokens }: UserBelongings): PrincipalReference[] {
  return [
    { principalKind: PermissionPrincipalKind.User, principalId: userId },
    ...personalAccessTokens.map(({ id }) => ({ principalKind: PermissionPrincipalKind.PersonalAccessToken, principalId: id })),
  ];
}
