import { Injectable } from '@nestjs/common';

import { notFound } from '../../../platform/common/errors/errors.js';
import type { TenantContext } from '../../authentication/principals/request-context.js';
import { AuthorizationService } from '../../authorization/evaluation/authorization.service.js';
import type { Rule, RuleDecision } from '../../authorization/evaluation/rules.js';
import { findPermission, Permission, permissionCatalog } from '../../authorization/permissions/permission.js';
import { AssignmentReferencesRepository } from '../assignment-references.repository.js';
import { isVisible } from '../assignment-rules.js';
import type { AssignmentScope, PrincipalReference } from '../assignment.js';
import type { EffectivePermissionDto } from '../held/held-permissions.dto.js';
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
    const { rules, resource, describe } = await this.prepare(context, { ...query, principalId });
    const permission = findPermission(query.permissionName);
    if (permission === undefined) return refused('There is no permission of this name.', null);
    return describe(rules.decide(permission, resource));
  }

  /** Decides every permission that can be assigned at the scope, in the same way and with the same refusals. */
  async queryAll(context: TenantContext, query: PrincipalReference & AssignmentScope): Promise<EffectivePermissionDto[]> {
    const { rules, resource, describe } = await this.prepare(context, query);
    return permissionCatalog
      .filter(({ scopeKinds }) => scopeKinds.includes(query.scopeKind))
      .map((permission) => ({ permissionName: permission.name, ...describe(rules.decide(permission, resource)) }));
  }

  private async prepare(context: TenantContext, query: PrincipalReference & AssignmentScope) {
    const { manager, tenantId } = context;
    const principal = await this.references.principal(manager, tenantId, query);
    // Assignments can also refer to service accounts of the server, which belong to no tenant.
    if (principal === null || principal.tenantId !== tenantId) throw notFound('The principal');
    const resource = await requireQueriedScope(this.references, context, query);
    const rules = await this.authorization.rules(query.principalKind, query.principalId, tenantId);
    const seesServerRows = await this.authorization.isAllowed(context.principal, Permission.ServerPermissionsRead, { kind: 'Server' });
    const describe = (decision: RuleDecision): EffectivePermissionQueryResponseDto => {
      const shown = decision.rule !== null && isVisible(decision.rule, tenantId, principal, seesServerRows) ? decision.rule : null;
      return decision.allowed
        ? { isAllowed: true, denyReason: null, decidingAssignment: describeDeciding(shown) }
        : refused(reasonOf(decision), shown);
    };
    return { rules, resource, describe };
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
