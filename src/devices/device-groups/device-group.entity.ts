import { Column, Entity, Index, PrimaryColumn, Unique } from 'typeorm';

import { CreatedAtColumn, IdColumn, TenantIdColumn } from '../../platform/database/schema/columns.js';
import { ForeignKey } from 'typeorm';

@Entity('device_groups')
@Unique(['tenantId', 'name'])
export class DeviceGroup {
  @IdColumn() id: string;
  @CreatedAtColumn() createdAt: Date;
  @TenantIdColumn() tenantId: string;
  @Column('varchar', { length: 100 }) name: string;
  @Column('varchar', { length: 500, nullable: true }) description: string | null;
}

@Entity('device_group_members')
@Index(['deviceId'])
export class DeviceGroupMember {
  @PrimaryColumn('uuid') @ForeignKey('DeviceGroup', { onDelete: 'CASCADE' }) deviceGroupId: string;
  @PrimaryColumn('uuid') @ForeignKey('Device', { onDelete: 'CASCADE' }) deviceId: string;
}
