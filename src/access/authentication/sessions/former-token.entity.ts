import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';

export type TokenKind = 'Access' | 'Refresh';

/** A token of a program that still counts after a newer one was given out. */
@Entity('former_tokens')
export class FormerToken {
  @PrimaryColumn('uuid') @ForeignKey('Session', { onDelete: 'CASCADE' }) sessionId: string;
  /** SHA-256 of its secret. */
  @PrimaryColumn('bytea') hashedSecret: Buffer;
  @Column('varchar', { length: 10 }) kind: TokenKind;
  /** An access token counts until it expires, a refresh token for as long as it may be used again. */
  @Column('timestamptz') countsUntil: Date;
}
