import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

import { IdColumn } from '../../../platform/database/schema/columns.js';

/*
 * The index of the change log. A trigger writes it with each entry (`src/platform/database/triggers/change-log-subjects.ts`). `logId` is
 * the tenant that owns the entry, or the all-zero GUID for the log of the server.
 */

/** A person, object, permission, preset or external reference that an entry names. It goes with its entry. */
@Entity('change_log_subjects')
@Index(['logId', 'subjectId', 'recordedAt', 'entryId'])
export class ChangeLogSubject {
  @PrimaryColumn('uuid') @ForeignKey('AuthorizationChangeLog', { onDelete: 'CASCADE' }) entryId: string;
  /** The id of the person or object; for a permission, preset or reference, the MD5 of kind and name. */
  @PrimaryColumn('uuid') subjectId: string;
  @Column('uuid') logId: string;
  /** Time of the entry. */
  @Column('timestamptz') recordedAt: Date;
  @Column('varchar', { length: 50 }) kind: string;
  /** The name when the entry was written; null when it was not known. */
  @Column('text', { nullable: true }) name: string | null;
  @Column('boolean') isActor: boolean;
}

/** A name that a subject of a log has or had, so that searches find it, also when it is deleted. */
@Entity('change_log_names')
@Index(['logId', 'subjectId'])
export class ChangeLogName {
  @IdColumn() id: string;
  @Column('uuid') logId: string;
  @Column('uuid') subjectId: string;
  @Column('varchar', { length: 50 }) kind: string;
  @Column('text') name: string;
  /** The user name, where it differs from the name. */
  @Column('text', { nullable: true }) login: string | null;
  @Column('timestamptz', { default: () => 'now()' }) firstSeenAt: Date;
}

/** The progress of indexing entries from before the index existed; no row once all are in it. */
@Entity('change_log_backfill')
export class ChangeLogBackfill {
  /** Entries with smaller ids are not indexed yet. */
  @PrimaryColumn('uuid') nextId: string;
}
