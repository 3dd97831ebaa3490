import { Column, DeleteDateColumn, Entity } from 'typeorm';

import { CreatedAtColumn, IdColumn } from '../../platform/database/schema/columns.js';

@Entity('tenants')
export class Tenant {
  @IdColumn() id: string;
  @CreatedAtColumn() createdAt: Date;
  /** Null for self-registered tenants. Answers show null as an empty name. */
  @Column('varchar', { length: 100, nullable: true }) name: string | null;
  /**
   * Time at which the deletion began; null while the tenant exists. From then on it is as if it did not exist: finding by the entity leaves
   * it out, and so must SQL. What it owned is removed in steps, and the row with the last of them.
   */
  @DeleteDateColumn({ type: 'timestamptz', nullable: true }) deletedAt: Date | null;
}
