import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

import { IdColumn } from '../../platform/database/schema/columns.js';

/**
 * A row of a log that waits to be forwarded, as it was written. A trigger copies it in the transaction of the row
 * (`src/platform/database/triggers/forwarding.ts`), so that retention of the log takes nothing away.
 */
@Entity('forwarding_entries')
@Index(['log', 'number'], { unique: true })
@Index('ix_forwarding_entries_unnumbered', ['writtenAt', 'id'], { where: 'number IS NULL' })
export class ForwardingEntry {
  /** The id of the line: a line that a receiver gets twice has the same. */
  @IdColumn() id: string;
  @Column('varchar', { length: 20 }) log: string;
  /** Its place among those of the log; null until its transaction has committed and it was numbered. */
  @Column('bigint', { nullable: true }) number: string | null;
  @Column('timestamptz', { default: () => 'clock_timestamp()' }) writtenAt: Date;
  @Column('jsonb') data: object;
}

/** The number of the newest entry of a log, which stays when the entry is removed. */
@Entity('forwarding_heads')
export class ForwardingHead {
  @PrimaryColumn('varchar', { length: 20 }) log: string;
  @Column('bigint') lastNumber: string;
}

/** The place of a destination in a log. Rows of logs without one are not copied. */
@Entity('forwarding_cursors')
export class ForwardingCursor {
  @PrimaryColumn('varchar', { length: 20 }) destination: string;
  @PrimaryColumn('varchar', { length: 20 }) log: string;
  /** Number of the last entry that the receiver has. */
  @Column('bigint') number: string;
  /** Entries that were removed before the receiver had them. */
  @Column('bigint', { default: 0 }) lost: string;
  /** Begin of the failures of the destination since its last success; null if the last attempt succeeded. */
  @Column('timestamptz', { nullable: true }) failingSince: Date | null;
  @Column('varchar', { length: 500, nullable: true }) failure: string | null;
}
