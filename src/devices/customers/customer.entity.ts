import { Column, Entity, Unique } from 'typeorm';

import { CreatedAtColumn, IdColumn, TenantIdColumn } from '../../platform/database/schema/columns.js';

@Entity('customers')
@Unique(['tenantId', 'name'])
export class Customer {
  @IdColumn() id: string;
  @CreatedAtColumn() createdAt: Date;
  @TenantIdColumn() tenantId: string;
  @Column('varchar', { length: 100 }) name: string;
  @Column('varchar', { length: 500, nullable: true }) description: string | null;
  @Column('varchar', { length: 500, nullable: true }) notes: string | null;
}
