import { Column, Entity, Index } from 'typeorm';

import { CreatedAtColumn, IdColumn, ReferenceColumn } from '../../database/columns.js';

/** A program in which a user signed in for bearer tokens. Deleting the row signs it out. */
@Entity('bearer_sessions')
@Index(['userId'])
@Index(['refreshExpiresAt'])
export class BearerSession {
  @IdColumn() id: string;
  @CreatedAtColumn() createdAt: Date;
  @ReferenceColumn('User', { onDelete: 'CASCADE' }) userId: string;
  /** SHA-256 of the secret that all refresh tokens of the session have in common. */
  @Column('bytea') hashedLineage: Buffer;
  /** SHA-256 of the secret of the present access token. */
  @Column('bytea') hashedAccess: Buffer;
  @Column('timestamptz') accessExpiresAt: Date;
  /** SHA-256 of the secret that only the present refresh token has. */
  @Column('bytea') hashedRefresh: Buffer;
  @Column('timestamptz') refreshExpiresAt: Date;
  /** The user's stamp when the session began. It is over when the user has another one. */
  @Column('uuid') securityStamp: string;
  @Column('varchar', { length: 64, nullable: true }) remoteAddress: string | null;
  @Column('varchar', { length: 256, nullable: true }) userAgent: string | null;
}
