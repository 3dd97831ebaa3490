import { PermissionEffect, type PermissionDefinition } from '../../../src/access/authorization/permissions/permission.js';
import type {
  PermissionAssignmentDto,
  PermissionAssignmentsResponseDto,
} from '../../../src/access/permission-assignments/permission-assignment.dto.js';
import type { Tenant } from '../../../src/tenants/tenants/tenant.entity.js';
import type { ApiAnswer, ApiClient } from '../../support/application/api-client.js';
import type { TestApp } from '../../support/application/app.js';
import { callingUser, type CallingUser } from '../../support/callers/callers.js';
import { createUser, holder, type Holder, type Scope } from '../../support/fixtures/factories.js';

/** The path of the routes. */
export const ASSIGNMENTS = '/api/v1/permission-assignments';

/** Calls of the routes for tests of permission assignments; in a tenant of their own unless told otherwise. */
interface AssignmentCalls {
  /** The query that names a tenant. */
  readonly named: (of?: Tenant) => { readonly tenantId: string };
  /** A new user that calls with the permissions on its tenant, or at the server where they belong. */
  readonly caller: (permissions: readonly PermissionDefinition[], of?: Tenant) => Promise<CallingUser>;
  readonly create: (client: ApiClient, body: object, of?: Tenant) => Promise<ApiAnswer>;
  /** The listed assignments of a principal. */
  readonly held: (principal: Holder, client?: ApiClient, of?: Tenant) => Promise<PermissionAssignmentDto[]>;
  /** A new user without assignments. */
  readonly freshUser: (of?: Tenant) => Promise<Holder>;
}

/** Makes the calls for the tests of a file. */
export function assignmentCalls(server: TestApp, tenant: Tenant): AssignmentCalls {
  const named = (of = tenant): { readonly tenantId: string } => ({ tenantId: of.id });
  return {
    named,
    caller: (permissions, of = tenant) => callingUser(server, of, permissions),
    create: (client, body, of) => client.post(ASSIGNMENTS, { query: named(of), body }),
    held: async (principal, client = server.client(), of = tenant) => {
      const query = { ...named(of), principalKind: principal.kind, principalId: principal.id };
      return (await client.get(ASSIGNMENTS, { query })).as<PermissionAssignmentsResponseDto>().items;
    },
    freshUser: async (of = tenant) => holder.user(await createUser(server, { tenantId: of.id })),
  };
}

/** The body of a request for an assignment. */
export function assignment(principal: Holder, permission: { readonly name: string }, scope: Scope, more: object = {}): object {
  return {
    principalKind: principal.kind,
    principalId: principal.id,
    permissionName: permission.name,
    effect: PermissionEffect.Allow,
    scopeKind: scope.scopeKind,
    scopeId: scope.scopeId,
    ...more,
  };
}

/** Returns the terms of assignments, one line each. */
export function termsOf(rows: readonly PermissionAssignmentDto[]): string[] {
  return rows.map(({ effect, permissionName, scopeKind }) => `${effect} ${permissionName} ${scopeKind}`);
}
