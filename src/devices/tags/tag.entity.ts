import { Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';

import { CreatedAtColumn, IdColumn, TenantIdColumn } from '../../platform/database/schema/columns.js';

export enum TagType {
  Unknown = 'Unknown',
  Permission = 'Permission',
}

@Entity('tags')
@Unique(['tenantId', 'name'])
export class Tag {
  @IdColumn() id: string;
  @CreatedAtColumn() createdAt: Date;
  @TenantIdColumn() tenantId: string;
  @Column('varchar', { length: 50 }) name: string;
  @Column('varchar', { length: 20 }) type: TagType;
}

@Entity('device_tags')
@Index(['tagId', 'deviceId'])
export class DeviceTag {
  @PrimaryColumn('uuid') @ForeignKey('Device', { onDelete: 'CASCADE' }) deviceId: string;
  @PrimaryColumn('uuid') @ForeignKey('Tag', { onDelete: 'CASCADE' }) tagId: string;
}
