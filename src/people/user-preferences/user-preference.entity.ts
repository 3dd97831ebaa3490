import { Column, Entity, Unique } from 'typeorm';

import { CreatedAtColumn, IdColumn } from '../../platform/database/schema/columns.js';

/** A preference of a user, or of a service account that calls the routes for own preferences. */
@Entity('user_preferences')
@Unique(['principalId', 'name'])
export class UserPreference {
  @IdColumn() id: string;
  @CreatedAtColumn() createdAt: Date;
  @Column('uuid') principalId: string;
  @Column('varchar', { length: 100 }) name: string;
  @Column('varchar', { length: 100 }) value: string;
}
