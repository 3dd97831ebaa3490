import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/** A browser in which a user has signed in. */
@Entity('known_browsers')
@Index(['browserHash'])
@Index(['addressBlock', 'lastSignInAt'])
export class KnownBrowser {
  @PrimaryColumn('uuid') @ForeignKey('User', { onDelete: 'CASCADE' }) userId: string;
  /** SHA-256 of the value of its cookie. */
  @PrimaryColumn('bytea') browserHash: Buffer;
  /** The address block from which the user signed in last. */
  @Column('varchar', { length: 64 }) addressBlock: string;
  @Column('timestamptz') lastSignInAt: Date;
}
