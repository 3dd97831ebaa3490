import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** Failed sign-ins with an unknown name. The columns have the same meaning as those of an account. */
@Entity('unknown_names')
@Index(['failedAt'])
export class UnknownName {
  /**
   * The first 32 bits of the SHA-256 of the normalized name. They are enough to count by, and too few to recover the typed text, which
   * may be a password in the wrong field.
   */
  @PrimaryColumn('integer') nameHash: number;
  @Column('integer') accessFailedCount: number;
  @Column('timestamptz', { nullable: true }) lockoutEnd: Date | null;
  @Column('timestamptz') failedAt: Date;
}
