import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

import type { BackupKind } from './backup-files.js';

/** Longest reason of a failure, in characters. */
export const MAXIMUM_FAILURE_LENGTH = 1_000;

/** A backup that the service made or tried to make. */
@Entity('backup_runs')
@Index(['startedAt'])
@Index(['file'])
export class BackupRun {
  @PrimaryColumn('uuid') id: string;
  @Column('varchar', { length: 10 }) kind: BackupKind;
  @Column('timestamptz') startedAt: Date;
  /** Null while it runs, and after a process that died. */
  @Column('timestamptz', { nullable: true }) finishedAt: Date | null;
  /** Name of the file in the folder of backups; null without one. */
  @Column('varchar', { length: 100, nullable: true }) file: string | null;
  /** In bytes. */
  @Column('bigint', { nullable: true }) size: string | null;
  /** Reason for which there is no file. */
  @Column('varchar', { length: MAXIMUM_FAILURE_LENGTH, nullable: true }) failure: string | null;
  /** Time at which the file was read and compared with its manifest. */
  @Column('timestamptz', { nullable: true }) verifiedAt: Date | null;
  /** Fault that was found then. */
  @Column('varchar', { length: MAXIMUM_FAILURE_LENGTH, nullable: true }) verificationFailure: string | null;
}
