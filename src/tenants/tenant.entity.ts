import { Column, Entity } from 'typeorm';

import { CreatedAtColumn, IdColumn } from '../database/columns.js';

@Entity('tenants')
export class Tenant {
  @IdColumn() id: string;
  @CreatedAtColumn() createdAt: Date;
  /** Null for self-registered tenants. Answers show null as an empty name. */
  @Column('varchar', { length: 100, nullable: true }) name: string | null;
}
