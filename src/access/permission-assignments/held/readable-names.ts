import { Injectable } from '@nestjs/common';

import type { TenantContext } from '../../authentication/principals/request-context.js';
import { AuthorizationService } from '../../authorization/evaluation/authorization.service.js';
import { Permission, PermissionScopeKind, type PermissionDefinition } from '../../authorization/permissions/permission.js';
import { SCOPE_TARGET_KINDS, type AssignmentScope, type ScopeTargetKind } from '../assignment.js';
import type { HoldingGroupDto, ScopeNameDto } from './held-permissions.dto.js';
import { HeldPermissionsRepository, type NamedRow } from './held-permissions.repository.js';

/** The permission that lists the names of a kind. Devices are read one by one. */
const READS: Readonly<Record<Exclude<ScopeTargetKind, 'Device'>, PermissionDefinition>> = {
  CustomerTenant: Permission.TenantCustomersRead,
  DeviceGroup: Permission.TenantDeviceGroupsRead,
  UserGroup: Permission.TenantUserGroupsRead,
};

/** Finds names for answers about permissions, as far as the caller may read them. */
@Injectable()
export class ReadableNames {
  constructor(
    private readonly repository: HeldPermissionsRepository,
    private readonly authorization: AuthorizationService,
  ) {}

  /** The names of scopes within the tenant. */
  async ofScopes(context: TenantContext, scopes: readonly AssignmentScope[]): Promise<ScopeNameDto[]> {
    const named: ScopeNameDto[] = [];
    for (const kind of SCOPE_TARGET_KINDS) {
      const scopeKind = PermissionScopeKind[kind];
      const ids = [...new Set(scopes.flatMap((scope) => (scope.scopeKind === scopeKind && scope.scopeId !== null ? [scope.scopeId] : [])))];
      if (ids.length === 0) continue;
      const rows = await this.rows(context, kind, ids);
      named.push(...rows.map(({ id, name }) => ({ scopeKind, scopeId: id, name })));
    }
    return named;
  }

  /** User groups of the tenant by their ids, with their names if the caller may read them. */
  async ofGroups(context: TenantContext, ids: readonly string[]): Promise<HoldingGroupDto[]> {
    if (ids.length === 0) return [];
    const names = new Map((await this.rows(context, 'UserGroup', ids)).map(({ id, name }) => [id, name]));
    return ids.map((id) => ({ id, name: names.get(id) ?? null }));
  }

  /** Checks that the caller may list the names of a kind of the tenant. */
  mayList({ principal, tenantId }: TenantContext, permission: PermissionDefinition): Promise<boolean> {
    return this.authorization.isAllowed(principal, permission, { kind: 'Tenant', tenantId });
  }

  private async rows(context: TenantContext, kind: ScopeTargetKind, ids: readonly string[]): Promise<NamedRow[]> {
    const { manager, tenantId, principal } = context;
    if (kind === 'Device') {
      const scope = await this.authorization.deviceScope(principal, Permission.DeviceRead, 'd', 3);
      return this.repository.deviceNames(manager, tenantId, ids, scope);
    }
    return (await this.mayList(context, READS[kind])) ? this.repository.names(manager, tenantId, kind, ids) : [];
  }
}
