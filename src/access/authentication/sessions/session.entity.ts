import { Column, Entity, Index } from 'typeorm';

import { CreatedAtColumn, IdColumn, ReferenceColumn } from '../../../platform/database/schema/columns.js';

/** The way in which a session began. */
export enum SignInMethod {
  Password = 'Password',
  Passkey = 'Passkey',
  External = 'External',
  Invite = 'Invite',
  LogonToken = 'LogonToken',
  Registration = 'Registration',
  /** By the password, in a program that uses bearer tokens. */
  Bearer = 'Bearer',
}

/** A browser or a program in which a user is signed in. Deleting the row signs it out. */
@Entity('sessions')
@Index(['userId'])
@Index(['logonTokenId'])
@Index(['expiresAt'])
@Index(['lastUsedAt'])
export class Session {
  @IdColumn() id: string;
  @CreatedAtColumn() createdAt: Date;
  @ReferenceColumn('User', { onDelete: 'CASCADE' }) userId: string;
  /** SHA-256 of the secret in the cookie, or in the last access token of a program. */
  @Column('bytea') hashedSecret: Buffer;
  /** The user's stamp when the session began. The session is over when the user has another one. */
  @Column('uuid') securityStamp: string;
  @Column('varchar', { length: 50 }) method: SignInMethod;
  /** True if the cookie outlives the browser. */
  @Column('boolean') isPersistent: boolean;
  /** Time at which the session ends, however much it is used; that of a program, unless it gets new tokens before. */
  @Column('timestamptz') expiresAt: Date;
  @Column('timestamptz') lastUsedAt: Date;
  /** Time of the user's last proof of identity: the sign-in, or a repeated proof. */
  @Column('timestamptz') provenAt: Date;
  @Column('varchar', { length: 64, nullable: true }) remoteAddress: string | null;
  @Column('varchar', { length: 256, nullable: true }) userAgent: string | null;
  /** The logon token that opened the session and limits it; null when the user signed in. */
  @ReferenceColumn('LogonToken', { onDelete: 'CASCADE', nullable: true }) logonTokenId: string | null;
  /** Expiry of the last access token. This column and those below are for programs, and null for browsers. */
  @Column('timestamptz', { nullable: true }) accessExpiresAt: Date | null;
  /** SHA-256 of the secret that all refresh tokens of the session have in common. */
  @Column('bytea', { nullable: true }) hashedLineage: Buffer | null;
  /** SHA-256 of the secret that only the present refresh token has. */
  @Column('bytea', { nullable: true }) hashedRefresh: Buffer | null;
  @Column('timestamptz', { nullable: true }) refreshExpiresAt: Date | null;
}
