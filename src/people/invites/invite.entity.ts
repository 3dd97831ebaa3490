import { Column, Entity, Index, Unique } from 'typeorm';

import { CreatedAtColumn, IdColumn, ReferenceColumn, TenantIdColumn } from '../../platform/database/schema/columns.js';

@Entity('invites')
@Index(['tenantId'])
@Index(['hashedActivationCode'])
@Unique(['inviteeEmail'])
export class Invite {
  @IdColumn() id: string;
  @CreatedAtColumn() createdAt: Date;
  @TenantIdColumn() tenantId: string;
  /** Trimmed and lower case. */
  @Column('varchar', { length: 256 }) inviteeEmail: string;
  /** The account that was created for the invitee. */
  @ReferenceColumn('User', { onDelete: 'CASCADE' }) userId: string;
  /** Name of the inviter, as the invited person is told; null for invites of programs. */
  @Column('varchar', { length: 256, nullable: true }) inviterName: string | null;
  /** SHA-256 of the activation code, which is stored nowhere. */
  @Column('bytea') hashedActivationCode: Buffer;
  /** Null for the usual time after the creation. */
  @Column('timestamptz', { nullable: true }) expiresAt: Date | null;
}
