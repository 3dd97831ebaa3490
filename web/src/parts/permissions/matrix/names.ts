import type { Scope } from '../../../model/permissions/scopes.js';

/** Display names in the matrix. */
export interface Names {
  readonly permissionName: (permission: string) => string;
  readonly scopeName: (scope: Scope) => string;
  readonly groupName: (groupId: string) => string;
}
