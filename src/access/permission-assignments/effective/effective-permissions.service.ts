import { Injectable } from '@nestjs/common';

import { notFound } from '../../../platform/common/errors/errors.js';
import type { TenantContext } from '../../authentication/principals/request-context.js';
import { AuthorizationService } from '../../authorization/evaluation/authorization.service.js';
import type { Rule, RuleDecision } from '../../authorization/evaluation/rules.js';
import { findPermission, Permission } from '../../authorization/permissions/permission.js';
import { AssignmentReferencesRepository } from '../assignment-references.repository.js';
import { isVisible } from '../assignment-rules.js';
import type { PrincipalReference } from '../assignment.js';
import { describeDeciding, requireQueriedScope } from '../queried-scope.js';
import type { EffectivePermissionQueryDto, EffectivePermissionQueryResponseDto } from './effective-permission.dto.js';

/** Decides about the permissions of a principal, and names the assignment that decides. */
@Injectable()
export class EffectivePermissionsService {
  constructor(
    private readonly references: AssignmentReferencesRepository,
    private readonly authorization: AuthorizationService,
  ) {}

  /**
   * Checks whether a user (with its groups), a user group or a service account of the tenant holds a permission on something in the tenant.
   * It decides as every check does, except that limits of a single credential do not count. 404 for a principal or scope that the tenant
   * does not have; an unknown permission is answered as not allowed.
   */
  async query(
    context: TenantContext,
    principalId: string,
    query: EffectivePermissionQueryDto,
  ): Promise<EffectivePermissionQueryResponseDto> {
    const { manager, tenantId } = context;
    const reference: PrincipalReference = { principalKind: query.principalKind, principalId };
    const principal = await this.references.principal(manager, tenantId, reference);
    // Assignments can also refer to service accounts of the server, which belong to no tenant.
    if (principal === null || principal.tenantId !== tenantId) throw notFound('The principal');
    const resource = await requireQueriedScope(this.references, context, query);
    const permission = findPermission(query.permissionName);
    if (permission === undefined) return refused('There is no permission of this name.', null);

    const rules = await this.authorization.rules(query.principalKind, principalId, tenantId);
    const decision = rules.decide(permission, resource);
    const seesServerRows = await this.authorization.isAllowed(context.principal, Permission.ServerPermissionsRead, { kind: 'Server' });
    const shown = decision.rule !== null && isVisible(decision.rule, tenantId, principal, seesServerRows) ? decision.rule : null;
    return decision.allowed
      ? { isAllowed: true, denyReason: null, decidingAssignment: describeDeciding(shown) }
      : refused(reasonOf(decision), shown);
  }
}

function refused(denyReason: string, rule: Rule | null): EffectivePermissionQueryResponseDto {
  return { isAllowed: false, denyReason, decidingAssignment: describeDeciding(rule) };
}

function reasonOf({ rule }: RuleDecision): string {
  if (rule === null) return 'No assignment allows it.';
  return rule.throughGroupId === null
    ? `An assignment at ${rule.scopeKind} scope denies it.`
    : `An assignment of a user group at ${rule.scopeKind} scope denies it.`;
}
