import { Column, Entity, Index, Unique } from 'typeorm';

import { CreatedAtColumn, IdColumn, ReferenceColumn, TenantIdColumn } from '../database/columns.js';

@Entity('invites')
@Index(['tenantId'])
@Unique(['inviteeEmail'])
export class Invite {
  @IdColumn() id: string;
  @CreatedAtColumn() createdAt: Date;
  @TenantIdColumn() tenantId: string;
  /** Trimmed and lower case. */
  @Column('varchar', { length: 256 }) inviteeEmail: string;
  /** The account that was created for the invitee. */
  @ReferenceColumn('User', { onDelete: 'CASCADE' }) userId: string;
  @Column('varchar', { length: 128 }) activationCode: string;
}
