import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** Failed sign-ins with a name that nobody has. The columns mean what those of an account mean. */
@Entity('unknown_names')
@Index(['failedAt'])
export class UnknownName {
  /**
   * The first 32 bits of the SHA-256 of the normalized name. They are enough to count by, and too few to find out what was typed, which
   * may be a password in the wrong field.
   */
  @PrimaryColumn('integer') nameHash: number;
  @Column('integer') accessFailedCount: number;
  @Column('timestamptz', { nullable: true }) lockoutEnd: Date | null;
  @Column('timestamptz') failedAt: Date;
}
