import { Injectable } from '@nestjs/common';

import { invalidField } from '../../../platform/common/errors/errors.js';
import { isGuid } from '../../../platform/common/identifiers/guid.js';
import type { TenantContext } from '../../authentication/principals/request-context.js';
import { AuthorizationService } from '../../authorization/evaluation/authorization.service.js';
import type { Resource, Rule } from '../../authorization/evaluation/rules.js';
import { findPermission, Permission, type PermissionDefinition } from '../../authorization/permissions/permission.js';
import { AssignmentReferencesRepository } from '../assignment-references.repository.js';
import { describeDeciding, requireQueriedScope } from '../queried-scope.js';
import type { PermissionHoldersQueryDto, PermissionHoldersResponseDto } from './permission-holder.dto.js';
import { PermissionHoldersRepository, type HolderPosition, type PossibleHolder } from './permission-holders.repository.js';

/** Most principals whose rules one call reads. Where many are denied what they are allowed elsewhere, pages are short. */
const MAXIMUM_EVALUATED = 200;

/** Finds the holders of a permission, each with the assignment that allows it. */
@Injectable()
export class PermissionHoldersService {
  constructor(
    private readonly repository: PermissionHoldersRepository,
    private readonly references: AssignmentReferencesRepository,
    private readonly authorization: AuthorizationService,
  ) {}

  /**
   * The users, user groups and service accounts of the tenant that hold a permission on something in the tenant. Each is decided as its
   * own requests are; SQL only leaves out those that no Allow reaches. 404 for a scope that the tenant does not have; nobody holds an
   * unknown permission.
   */
  async query(context: TenantContext, query: PermissionHoldersQueryDto): Promise<PermissionHoldersResponseDto> {
    const { manager, tenantId } = context;
    const resource = await requireQueriedScope(this.references, context, query);
    const permission = findPermission(query.permission);
    if (permission === undefined) return { items: [], next: null };
    const seesServerRows = await this.authorization.isAllowed(context.principal, Permission.ServerPermissionsRead, { kind: 'Server' });
    const after = query.after === null ? null : requirePosition(query.after);
    const possible = await this.repository.possible(manager, tenantId, permission, resource, after, MAXIMUM_EVALUATED);
    const items: PermissionHoldersResponseDto['items'] = [];
    for (const [index, holder] of possible.entries()) {
      const rule = await this.allowing(holder, tenantId, permission, resource);
      if (rule !== null) {
        const isShown = rule.owningTenantId !== null || seesServerRows;
        items.push({ ...holder, decidingAssignment: isShown ? describeDeciding(rule) : null });
      }
      const isLast = index === possible.length - 1;
      if (items.length === query.pageSize && !isLast) return { items, next: positionOf(holder) };
    }
    return { items, next: possible.length < MAXIMUM_EVALUATED ? null : positionOf(possible[possible.length - 1]) };
  }

  private async allowing(
    { principalKind, principalId }: PossibleHolder,
    tenantId: string,
    permission: PermissionDefinition,
    resource: Resource,
  ): Promise<Rule | null> {
    const rules = await this.authorization.rules(principalKind, principalId, tenantId);
    const { allowed, rule } = rules.decide(permission, resource);
    return allowed ? rule : null;
  }
}

function positionOf({ principalId, name }: HolderPosition): string {
  return `${principalId} ${name}`;
}

function requirePosition(text: string): HolderPosition {
  const [principalId, ...name] = text.split(' ');
  if (!isGuid(principalId) || name.length === 0) throw invalidField('after', 'after must be `next` of an answer.');
  return { principalId, name: name.join(' ') };
}
