import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

import { IdColumn, ReferenceColumn } from '../../platform/database/schema/columns.js';

/** The secret that a user's authenticator app and the service share. It cannot be hashed, because codes are computed from it. */
@Entity('authenticators')
export class Authenticator {
  @PrimaryColumn('uuid') @ForeignKey('User', { onDelete: 'CASCADE' }) userId: string;
  @Column('bytea') secret: Buffer;
  /** Time at which the user confirmed the app with a code; null until then. */
  @Column('timestamptz', { nullable: true }) confirmedAt: Date | null;
  /** The time step of the last accepted code: no code works twice. */
  @Column('integer', { nullable: true }) lastStep: number | null;
}

/** A code that stands in once for the authenticator app. */
@Entity('recovery_codes')
@Index(['userId'])
export class RecoveryCode {
  @IdColumn() id: string;
  @ReferenceColumn('User', { onDelete: 'CASCADE' }) userId: string;
  /** SHA-256: the codes are random. */
  @Column('bytea') hashedCode: Buffer;
}
