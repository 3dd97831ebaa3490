import { Injectable } from '@nestjs/common';

import { notFound } from '../../../platform/common/errors/errors.js';
import type { TenantContext } from '../../authentication/principals/request-context.js';
import { AuthorizationService } from '../../authorization/evaluation/authorization.service.js';
import { Permission, PermissionPrincipalKind } from '../../authorization/permissions/permission.js';
import { AssignmentReferencesRepository } from '../assignment-references.repository.js';
import { isVisible } from '../assignment-rules.js';
import { isSamePrincipal, type AssignmentPrincipal, type AssignmentScope } from '../assignment.js';
import type { QueriedPrincipalKind } from '../effective/effective-permission.dto.js';
import { EffectivePermissionsService } from '../effective/effective-permissions.service.js';
import type { PermissionAssignmentDto } from '../permission-assignment.dto.js';
import type {
  EffectivePermissionsQueryDto,
  EffectivePermissionsResponseDto,
  HeldPermissionsQueryDto,
  HeldPermissionsResponseDto,
  PrincipalNamesQueryDto,
  PrincipalNamesResponseDto,
} from './held-permissions.dto.js';
import { HeldPermissionsRepository, type HeldRow } from './held-permissions.repository.js';
import { ReadableNames } from './readable-names.js';

/** Most assignments in one answer. */
const MAXIMUM_ASSIGNMENTS = 10_000;
/** Most groups of a user in one answer. */
const MAXIMUM_GROUPS = 1_000;
/** Principals that a search names. */
const MAXIMUM_PRINCIPALS = 50;

/** Answers what a principal holds in one call, however many groups it is in. */
@Injectable()
export class HeldPermissionsService {
  constructor(
    private readonly repository: HeldPermissionsRepository,
    private readonly references: AssignmentReferencesRepository,
    private readonly authorization: AuthorizationService,
    private readonly effective: EffectivePermissionsService,
    private readonly names: ReadableNames,
  ) {}

  /**
   * The assignments of a principal and of its groups, with the names beside them. 404 for a principal that is neither of the tenant nor a
   * service account of the server.
   */
  async held(context: TenantContext, query: HeldPermissionsQueryDto): Promise<HeldPermissionsResponseDto> {
    const { manager, tenantId } = context;
    const principal = await this.references.principal(manager, tenantId, query);
    if (principal === null) throw notFound('The principal');
    const rows = await this.repository.held(manager, tenantId, query, MAXIMUM_ASSIGNMENTS + 1);
    const groups =
      query.principalKind === PermissionPrincipalKind.User
        ? await this.repository.groupsOf(manager, tenantId, query.principalId, MAXIMUM_GROUPS + 1)
        : [];
    const shown = await this.visible(context, rows.slice(0, MAXIMUM_ASSIGNMENTS), principal);
    const own = shown.filter((row) => isSamePrincipal(row, query));
    return {
      assignments: own,
      groupAssignments: shown.filter((row) => !isSamePrincipal(row, query)),
      groups: await this.names.ofGroups(
        context,
        groups.slice(0, MAXIMUM_GROUPS).map(({ id }) => id),
      ),
      scopes: await this.names.ofScopes(context, shown),
      isComplete: rows.length <= MAXIMUM_ASSIGNMENTS && groups.length <= MAXIMUM_GROUPS,
    };
  }

  /** Every permission that can be assigned at a scope, decided for a principal of the tenant. */
  async everything(context: TenantContext, query: EffectivePermissionsQueryDto): Promise<EffectivePermissionsResponseDto> {
    const items = await this.effective.queryAll(context, query);
    const deciding = items.flatMap(({ decidingAssignment }) => decidingAssignment ?? []);
    const groupIds = [...new Set(deciding.flatMap(({ throughUserGroupId }) => throughUserGroupId ?? []))];
    const asked: AssignmentScope = query;
    return {
      items,
      groups: await this.names.ofGroups(context, groupIds),
      scopes: await this.names.ofScopes(context, [asked, ...deciding]),
    };
  }

  /** The principals that questions can be asked about, as far as the caller may read their names. */
  async principals(context: TenantContext, { search, principalId }: PrincipalNamesQueryDto): Promise<PrincipalNamesResponseDto> {
    const { manager, tenantId } = context;
    const kinds: QueriedPrincipalKind[] = [];
    if (await this.names.mayList(context, Permission.TenantUsersRead)) kinds.push(PermissionPrincipalKind.User);
    if (await this.names.mayList(context, Permission.TenantUserGroupsRead)) kinds.push(PermissionPrincipalKind.UserGroup);
    if (await this.names.mayList(context, Permission.ServiceAccountRead)) kinds.push(PermissionPrincipalKind.ServiceAccount);
    const text = search === null || search.trim() === '' ? null : search.trim();
    return { items: await this.repository.principals(manager, tenantId, text, kinds, principalId, MAXIMUM_PRINCIPALS + 1) };
  }

  private async visible(
    { principal: caller, tenantId }: TenantContext,
    rows: readonly HeldRow[],
    principal: AssignmentPrincipal,
  ): Promise<PermissionAssignmentDto[]> {
    const seesServerRows = await this.authorization.isAllowed(caller, Permission.ServerPermissionsRead, { kind: 'Server' });
    return rows
      .filter((row) => isVisible(row, tenantId, principal, seesServerRows))
      .map(({ id, principalKind, principalId, permissionName, effect, scopeKind, scopeId, notes, isEnabled, createdAt }) => ({
        id,
        principalKind,
        principalId,
        permissionName,
        effect,
        scopeKind,
        scopeId,
        notes,
        isEnabled,
        createdAt,
      }));
  }
}
