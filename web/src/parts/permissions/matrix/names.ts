import type { Scope } from '../../../model/permissions/scopes.js';

/** How the matrix calls what it shows. */
export interface Names {
  readonly permissionName: (permission: string) => string;
  readonly scopeName: (scope: Scope) => string;
  readonly groupName: (groupId: string) => string;
}
