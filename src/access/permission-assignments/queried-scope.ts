import { invalidField, notFound } from '../../platform/common/errors/errors.js';
import type { TenantContext } from '../authentication/principals/request-context.js';
import type { Resource, Rule } from '../authorization/evaluation/rules.js';
import { PermissionScopeKind } from '../authorization/permissions/permission.js';
import type { AssignmentReferencesRepository } from './assignment-references.repository.js';
import type { AssignmentScope } from './assignment.js';
import type { DecidingAssignmentDto } from './effective/effective-permission.dto.js';

/**
 * Returns the resource that a query about permissions names; 404 for what the tenant does not have, 400 for a scope that is named wrongly.
 */
export async function requireQueriedScope(
  references: AssignmentReferencesRepository,
  { manager, tenantId }: TenantContext,
  { scopeKind, scopeId }: AssignmentScope,
): Promise<Resource> {
  if (scopeKind === PermissionScopeKind.Server && scopeId !== null)
    throw invalidField('scopeId', 'scopeId must be left out at Server scope.');
  const isWhole = scopeKind === PermissionScopeKind.Server || scopeKind === PermissionScopeKind.Tenant;
  if (!isWhole && scopeId === null) throw invalidField('scopeId', `scopeId is required at ${scopeKind} scope.`);
  const named = scopeKind === PermissionScopeKind.Tenant ? (scopeId ?? tenantId) : scopeId;
  const resource = await references.scope(manager, tenantId, { scopeKind, scopeId: named });
  if (resource === null) throw notFound('The scope');
  return resource;
}

/** The assignment that decides, as answers name it. */
export function describeDeciding(rule: Rule | null): DecidingAssignmentDto | null {
  if (rule === null) return null;
  const { assignmentId, effect, scopeKind, scopeId, throughGroupId } = rule;
  return { assignmentId, effect, scopeKind, scopeId, throughUserGroupId: throughGroupId };
}
