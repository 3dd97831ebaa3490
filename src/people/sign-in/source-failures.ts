import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

/** Counts an attempt before its outcome is known. Not while the source is locked. */
const BEGIN = `
  INSERT INTO source_failures (subject, source, access_failed_count, failed_at) VALUES ($1, $2, 1, $3)
  ON CONFLICT (subject, source) DO UPDATE SET access_failed_count = source_failures.access_failed_count + 1, failed_at = $3
  WHERE (source_failures.lockout_end IS NULL OR source_failures.lockout_end <= $3) AND source_failures.access_failed_count < $4
  RETURNING access_failed_count`;

const LOCK = `
  UPDATE source_failures SET lockout_end = $4, access_failed_count = 0
  WHERE subject = $1 AND source = $2 AND access_failed_count >= $5 AND (lockout_end IS NULL OR lockout_end <= $3)
  RETURNING lockout_end AS "lockedUntil"`;

const WITHDRAW = `
  UPDATE source_failures SET access_failed_count = GREATEST(access_failed_count - 1, 0) WHERE subject = $1 AND source = $2`;

const REMOVE = `
  DELETE FROM source_failures WHERE ctid = ANY (ARRAY(SELECT ctid FROM source_failures WHERE failed_at <= $1 LIMIT $2))`;

/** The SQL of the failures that are counted by source, alike for accounts and for unknown names. */
@Injectable()
export class SourceFailures {
  constructor(private readonly dataSource: DataSource) {}

  /** Counts an attempt, unless the source is locked or as many attempts as may fail are under way; returns whether it did. */
  async begin(subject: string, source: string, now: Date, failureLimit: number): Promise<boolean> {
    return (await this.dataSource.query<unknown[]>(BEGIN, [subject, source, now, failureLimit])).length > 0;
  }

  /** Locks a source that has failed too often; null when it has not, or is locked already. */
  async lock(subject: string, source: string, now: Date, until: Date, failureLimit: number): Promise<Date | null> {
    const [rows] = await this.dataSource.query<[{ lockedUntil: Date }[], number]>(LOCK, [subject, source, now, until, failureLimit]);
    return rows[0]?.lockedUntil ?? null;
  }

  /** Returns the end of a source's lock-out, which may be past. */
  async lockedUntil(subject: string, source: string): Promise<Date | null> {
    const [row] = await this.dataSource.query<{ lockedUntil: Date | null }[]>(
      'SELECT lockout_end AS "lockedUntil" FROM source_failures WHERE subject = $1 AND source = $2',
      [subject, source],
    );
    return row?.lockedUntil ?? null;
  }

  /** Takes back an attempt. */
  async withdraw(subject: string, source: string): Promise<void> {
    await this.dataSource.query(WITHDRAW, [subject, source]);
  }

  /** Forgets the failures of a source. */
  async forget(subject: string, source: string): Promise<void> {
    await this.dataSource.query('DELETE FROM source_failures WHERE subject = $1 AND source = $2', [subject, source]);
  }

  /** Deletes at most `limit` counts whose last failure is not after an instant; returns how many. */
  async remove(notAfter: Date, limit: number): Promise<number> {
    const [, count] = await this.dataSource.query<[unknown[], number]>(REMOVE, [notAfter, limit]);
    return count;
  }
}
