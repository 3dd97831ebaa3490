import { Column, Entity, Unique } from 'typeorm';

import { CreatedAtColumn, IdColumn, ReferenceColumn } from '../../platform/database/schema/columns.js';

/** Purpose of a code. */
export enum CodePurpose {
  ConfirmEmail = 'ConfirmEmail',
  ChangeEmail = 'ChangeEmail',
  ResetPassword = 'ResetPassword',
}

/** A code that was sent by mail. The next of the same purpose takes its place. */
@Entity('account_codes')
@Unique(['userId', 'purpose'])
export class AccountCode {
  @IdColumn() id: string;
  @CreatedAtColumn() createdAt: Date;
  @ReferenceColumn('User', { onDelete: 'CASCADE' }) userId: string;
  @Column('varchar', { length: 50 }) purpose: CodePurpose;
  /** SHA-256 of the secret in the code. */
  @Column('bytea') hashedCode: Buffer;
  /** The user's stamp when the code was made. It is worth nothing when the user has another one. */
  @Column('uuid') securityStamp: string;
  /** For a change of the address: the new one, to which the code was sent. */
  @Column('varchar', { length: 256, nullable: true }) newEmail: string | null;
  @Column('timestamptz') expiresAt: Date;
}
