import { Check, Column, Entity, Index } from 'typeorm';

import { CreatedAtColumn, IdColumn } from '../../platform/database/schema/columns.js';
import type { PermissionEffect, PermissionScopeKind, PermissionPrincipalKind } from '../authorization/permissions/permission.js';

@Entity('permission_assignments')
@Index(['principalKind', 'principalId'])
@Index(['scopeKind', 'scopeId'])
@Index(['owningTenantId'])
@Index('uq_permission_assignments_grant', { synchronize: false })
@Check('ck_permission_assignments_server', `("scope_kind" = 'Server') = ("scope_id" IS NULL)`)
@Check('ck_permission_assignments_owner', `("scope_kind" = 'Server') = ("owning_tenant_id" IS NULL)`)
export class PermissionAssignment {
  @IdColumn() id: string;
  @CreatedAtColumn() createdAt: Date;
  @Column('varchar', { length: 50 }) principalKind: PermissionPrincipalKind;
  @Column('uuid') principalId: string;
  @Column('varchar', { length: 150 }) permissionName: string;
  @Column('varchar', { length: 20 }) effect: PermissionEffect;
  @Column('varchar', { length: 50 }) scopeKind: PermissionScopeKind;
  @Column('uuid', { nullable: true }) scopeId: string | null;
  /** The tenant that the row belongs to; null for server rows. */
  @Column('uuid', { nullable: true }) owningTenantId: string | null;
  @Column('boolean', { default: true }) isEnabled: boolean;
  @Column('varchar', { length: 500, nullable: true }) notes: string | null;
  @Column('varchar', { length: 50, nullable: true }) createdByPrincipalType: string | null;
  @Column('uuid', { nullable: true }) createdByPrincipalId: string | null;
}
