import { Column, Entity, Unique } from 'typeorm';

import { CreatedAtColumn, IdColumn } from '../../platform/database/schema/columns.js';

/** A value that the front end stores on the server for a principal. */
@Entity('user_storage_items')
@Unique(['principalId', 'key'])
export class UserStorageItem {
  @IdColumn() id: string;
  @CreatedAtColumn() createdAt: Date;
  @Column('uuid') principalId: string;
  @Column('varchar', { length: 256 }) key: string;
  @Column('varchar', { length: 2048 }) value: string;
}
