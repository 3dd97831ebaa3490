import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

import { newGuid } from '../../../platform/common/identifiers/guid.js';
import { AdvisoryLock, isLockHeld } from '../../../platform/database/locks/advisory-locks.js';
import { BY_HAND, CLEANUP } from '../turn.js';
import { BackupKind, type NamedBackup } from './backup-files.js';
import { MAXIMUM_FAILURE_LENGTH } from './backup-run.entity.js';
import type { LastBackups, LastNightly } from './last-backups.js';

/** Rows that are kept. */
const MAXIMUM_RUNS = 4_000;
/** Runs that an answer lists. */
const LISTED_RUNS = 20;

const DIED = 'The service ended before the backup was complete.';

const COLUMNS = `id, kind, started_at AS "startedAt", finished_at AS "finishedAt", file, size::float8 AS size, failure`;

/** A backup that has ended, is under way, or that a process which died did not end. */
export interface StoredRun {
  readonly id: string;
  readonly kind: BackupKind;
  readonly startedAt: Date;
  readonly finishedAt: Date | null;
  readonly file: string | null;
  readonly size: number | null;
  readonly failure: string | null;
}

/** Result of reading a file. */
export interface Verification {
  readonly file: string;
  readonly verifiedAt: Date;
  /** Null: the file is whole. */
  readonly failure: string | null;
}

const isComplete = 'finished_at IS NOT NULL AND failure IS NULL';

/** The service's backups in the database. */
@Injectable()
export class BackupRunsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Stores that a backup begins. Its caller has the lock of backups, so that others which have not ended never will. */
  async begin(kind: BackupKind, startedAt: Date): Promise<string> {
    const id = newGuid();
    await this.dataSource.transaction(async (manager) => {
      await manager.query('UPDATE backup_runs SET finished_at = $1, failure = $2 WHERE finished_at IS NULL', [startedAt, DIED]);
      await manager.query('INSERT INTO backup_runs (id, kind, started_at) VALUES ($1, $2, $3)', [id, kind, startedAt]);
      await manager.query('DELETE FROM backup_runs WHERE id IN (SELECT id FROM backup_runs ORDER BY started_at DESC, id OFFSET $1)', [
        MAXIMUM_RUNS,
      ]);
    });
    return id;
  }

  async succeeded(id: string, at: Date, file: string, size: number): Promise<void> {
    await this.dataSource.query('UPDATE backup_runs SET finished_at = $2, file = $3, size = $4 WHERE id = $1', [id, at, file, size]);
  }

  async failed(id: string, at: Date, failure: string): Promise<void> {
    await this.dataSource.query('UPDATE backup_runs SET finished_at = $2, failure = $3 WHERE id = $1', [id, at, shortened(failure)]);
  }

  /** The newest runs first. */
  async last(): Promise<readonly StoredRun[]> {
    return this.dataSource.query<StoredRun[]>(`SELECT ${COLUMNS} FROM backup_runs ORDER BY started_at DESC, id LIMIT $1`, [LISTED_RUNS]);
  }

  /** True while a process of the service, here or at another node, makes a backup of this database. */
  isUnderWay(): Promise<boolean> {
    return isLockHeld(this.dataSource.manager, AdvisoryLock.Backup, [BY_HAND, CLEANUP]);
  }

  async lastNightly(): Promise<LastNightly> {
    const [row] = await this.dataSource.query<LastNightly[]>(
      `SELECT max(started_at) AS "attemptAt", max(started_at) FILTER (WHERE ${isComplete}) AS "successAt"
       FROM backup_runs WHERE kind = $1`,
      [BackupKind.Nightly],
    );
    return row ?? { attemptAt: null, successAt: null };
  }

  async lastBackups(): Promise<LastBackups> {
    const [row] = await this.dataSource.query<LastBackups[]>(
      `SELECT (SELECT max(finished_at) FROM backup_runs WHERE ${isComplete}) AS "successAt",
         (SELECT size::float8 FROM backup_runs WHERE ${isComplete} ORDER BY finished_at DESC LIMIT 1) AS size,
         (SELECT failure FROM backup_runs WHERE finished_at IS NOT NULL ORDER BY started_at DESC LIMIT 1) AS failure`,
    );
    return row ?? { successAt: null, size: null, failure: null };
  }

  /** Checks whether the nightly backup before this run failed as well. */
  async failedBefore(id: string): Promise<boolean> {
    const [row] = await this.dataSource.query<{ failure: string | null }[]>(
      `SELECT failure FROM backup_runs WHERE kind = $1 AND id <> $2 AND finished_at IS NOT NULL ORDER BY started_at DESC LIMIT 1`,
      [BackupKind.Nightly, id],
    );
    return typeof row?.failure === 'string';
  }

  /** Stores the result of reading a file, for a file of a former database as well. */
  async verified({ name, kind, startedAt }: NamedBackup, at: Date, failure: string | null): Promise<void> {
    const text = failure === null ? null : shortened(failure);
    const [, count] = await this.dataSource.query<[unknown, number]>(
      'UPDATE backup_runs SET verified_at = $2, verification_failure = $3 WHERE file = $1',
      [name, at, text],
    );
    if (count > 0) return;
    await this.dataSource.query(
      `INSERT INTO backup_runs (id, kind, started_at, finished_at, file, verified_at, verification_failure) VALUES ($1, $2, $3, $3, $4, $5, $6)`,
      [newGuid(), kind, startedAt, name, at, text],
    );
  }

  /** The results for these files; none for those that were not read. */
  async verificationsOf(files: readonly string[]): Promise<readonly Verification[]> {
    return this.dataSource.query<Verification[]>(
      `SELECT file, verified_at AS "verifiedAt", verification_failure AS failure FROM backup_runs
       WHERE file = ANY($1::text[]) AND verified_at IS NOT NULL`,
      [files],
    );
  }
}

function shortened(text: string): string {
  return text.length > MAXIMUM_FAILURE_LENGTH ? `${text.slice(0, MAXIMUM_FAILURE_LENGTH - 1)}…` : text;
}
