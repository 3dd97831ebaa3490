import { Column, Entity, Unique } from 'typeorm';

import { CreatedAtColumn, IdColumn, TenantIdColumn } from '../../platform/database/schema/columns.js';

@Entity('tenant_settings')
@Unique(['tenantId', 'name'])
export class TenantSetting {
  @IdColumn() id: string;
  @CreatedAtColumn() createdAt: Date;
  @TenantIdColumn() tenantId: string;
  @Column('varchar', { length: 100 }) name: string;
  @Column('varchar', { length: 100 }) value: string;
}
