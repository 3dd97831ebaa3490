import { Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';

import { CreatedAtColumn, IdColumn, TenantIdColumn } from '../../platform/database/schema/columns.js';

@Entity('user_groups')
@Unique(['tenantId', 'name'])
export class UserGroup {
  @IdColumn() id: string;
  @CreatedAtColumn() createdAt: Date;
  @TenantIdColumn() tenantId: string;
  @Column('varchar', { length: 100 }) name: string;
  @Column('varchar', { length: 500, nullable: true }) description: string | null;
}

@Entity('user_group_members')
@Index(['userId'])
export class UserGroupMember {
  @PrimaryColumn('uuid') @ForeignKey('UserGroup', { onDelete: 'CASCADE' }) userGroupId: string;
  @PrimaryColumn('uuid') @ForeignKey('User', { onDelete: 'CASCADE' }) userId: string;
}
