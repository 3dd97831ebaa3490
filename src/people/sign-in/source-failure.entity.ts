import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** Failed guesses of a password or code for one account or name that came from one source. */
@Entity('source_failures')
@Index(['failedAt'])
export class SourceFailure {
  /** The id of the account, or `name:` and the hash by which an unknown name is counted. */
  @PrimaryColumn('varchar', { length: 41 }) subject: string;
  /** `address:` and the address block, `browser:` and the hash of a known browser, or `session:` and the id of a session. */
  @PrimaryColumn('varchar', { length: 80 }) source: string;
  @Column('integer') accessFailedCount: number;
  @Column('timestamptz', { nullable: true }) lockoutEnd: Date | null;
  @Column('timestamptz') failedAt: Date;
}
