import { Column, Entity, Index, Unique } from 'typeorm';

import { CreatedAtColumn, IdColumn, ReferenceColumn } from '../../platform/database/schema/columns.js';

/** An account at a provider, with which a user signs in. */
@Entity('external_logins')
@Unique(['provider', 'issuer', 'subject'])
@Index(['userId'])
export class ExternalLogin {
  @IdColumn() id: string;
  @CreatedAtColumn() createdAt: Date;
  @ReferenceColumn('User', { onDelete: 'CASCADE' }) userId: string;
  /** Name of the provider in the configuration. */
  @Column('varchar', { length: 32 }) provider: string;
  /** The issuer of the subject: one provider may have several issuers, and a configured name may get another provider. */
  @Column('varchar', { length: 500 }) issuer: string;
  @Column('varchar', { length: 255 }) subject: string;
  /** The person's name at the provider, to be shown only. */
  @Column('varchar', { length: 256, nullable: true }) displayName: string | null;
  @Column('varchar', { length: 256, nullable: true }) email: string | null;
  @Column('timestamptz', { nullable: true }) lastUsedAt: Date | null;
}

/** Purpose of a sign-in flow at a provider. */
export enum SignInFlowPurpose {
  SignIn = 'SignIn',
  /** To connect the login with the account of a session. */
  Connect = 'Connect',
  /** To prove that the user of a session is still there. */
  StepUp = 'StepUp',
}

/** A pending sign-in flow: a browser was sent to a provider and has not come back yet. */
@Entity('external_passages')
@Index(['createdAt'])
@Index(['addressBlock', 'createdAt'])
@Unique(['hashedState'])
export class ExternalSignInFlow {
  @IdColumn() id: string;
  @CreatedAtColumn() createdAt: Date;
  @Column('timestamptz') expiresAt: Date;
  @Column('varchar', { length: 32 }) provider: string;
  /** SHA-256 of the state that comes back with the answer. */
  @Column('bytea') hashedState: Buffer;
  /** SHA-256 of the value in the browser's cookie. */
  @Column('bytea') hashedBrowser: Buffer;
  @Column('varchar', { length: 100 }) nonce: string;
  @Column('varchar', { length: 128 }) codeVerifier: string;
  @Column('varchar', { length: 500 }) returnPath: string;
  /** True if the browser stays signed in after it was closed. */
  @Column('boolean') isPersistent: boolean;
  @Column('varchar', { length: 20 }) purpose: SignInFlowPurpose;
  /** The session in which the flow began; null for a sign-in. */
  @ReferenceColumn('Session', { onDelete: 'CASCADE', nullable: true }) sessionId: string | null;
  /** The browser's block of addresses, which limits the flows that one visitor can begin. */
  @Column('varchar', { length: 64 }) addressBlock: string;
}
