import { Column, Entity, Index } from 'typeorm';

import { CreatedAtColumn, IdColumn, ReferenceColumn } from '../../database/columns.js';

/** How a session began. */
export enum SignInMethod {
  Password = 'Password',
  Passkey = 'Passkey',
  External = 'External',
  Invite = 'Invite',
  LogonToken = 'LogonToken',
  Registration = 'Registration',
}

/** A browser in which a user is signed in. Deleting the row signs it out. */
@Entity('sessions')
@Index(['userId'])
@Index(['logonTokenId'])
@Index(['expiresAt'])
@Index(['lastUsedAt'])
export class Session {
  @IdColumn() id: string;
  @CreatedAtColumn() createdAt: Date;
  @ReferenceColumn('User', { onDelete: 'CASCADE' }) userId: string;
  /** SHA-256 of the secret in the cookie. */
  @Column('bytea') hashedSecret: Buffer;
  /** The user's stamp when the session began. It is over when the user has another one. */
  @Column('uuid') securityStamp: string;
  @Column('varchar', { length: 50 }) method: SignInMethod;
  /** Whether the cookie outlives the browser. */
  @Column('boolean') isPersistent: boolean;
  /** When the session ends, however much it is used. */
  @Column('timestamptz') expiresAt: Date;
  @Column('timestamptz') lastUsedAt: Date;
  /** When the user last proved to be there: by signing in, or by repeating a proof. */
  @Column('timestamptz') provenAt: Date;
  @Column('varchar', { length: 64, nullable: true }) remoteAddress: string | null;
  @Column('varchar', { length: 256, nullable: true }) userAgent: string | null;
  /** The logon token that opened the session and limits it; null when the user signed in. */
  @ReferenceColumn('LogonToken', { onDelete: 'CASCADE', nullable: true }) logonTokenId: string | null;
}
