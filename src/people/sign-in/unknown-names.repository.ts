import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

/** Counts an attempt before its outcome is known, as for accounts. Not while the name is locked. */
const BEGIN = `
  INSERT INTO unknown_names (name_hash, access_failed_count, failed_at) VALUES ($1, 1, $2)
  ON CONFLICT (name_hash) DO UPDATE SET access_failed_count = unknown_names.access_failed_count + 1, failed_at = $2
  WHERE (unknown_names.lockout_end IS NULL OR unknown_names.lockout_end <= $2) AND unknown_names.access_failed_count < $3
  RETURNING access_failed_count`;

const LOCK = `
  UPDATE unknown_names SET lockout_end = $3, access_failed_count = 0
  WHERE name_hash = $1 AND access_failed_count >= $4 AND (lockout_end IS NULL OR lockout_end <= $2)
  RETURNING lockout_end AS "lockedUntil"`;

const WITHDRAW = 'UPDATE unknown_names SET access_failed_count = GREATEST(access_failed_count - 1, 0) WHERE name_hash = $1';

const REMOVE = `
  DELETE FROM unknown_names WHERE ctid = ANY (ARRAY(SELECT ctid FROM unknown_names WHERE failed_at <= $1 LIMIT $2))`;

/** The SQL of unknown names. */
@Injectable()
export class UnknownNamesRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Counts an attempt, unless the name is locked or as many attempts as may fail are under way; returns whether it did. */
  async begin(nameHash: number, now: Date, failureLimit: number): Promise<boolean> {
    return (await this.dataSource.query<unknown[]>(BEGIN, [nameHash, now, failureLimit])).length > 0;
  }

  /** Locks a name that has failed too often; null when it has not, or is locked already. */
  async lock(nameHash: number, now: Date, until: Date, failureLimit: number): Promise<Date | null> {
    const [rows] = await this.dataSource.query<[{ lockedUntil: Date }[], number]>(LOCK, [nameHash, now, until, failureLimit]);
    return rows[0]?.lockedUntil ?? null;
  }

  /** Takes back an attempt. */
  async withdraw(nameHash: number): Promise<void> {
    await this.dataSource.query(WITHDRAW, [nameHash]);
  }

  /** Returns the end of a name's lock-out, which may be past. */
  async lockedUntil(nameHash: number): Promise<Date | null> {
    const [row] = await this.dataSource.query<{ lockedUntil: Date | null }[]>(
      'SELECT lockout_end AS "lockedUntil" FROM unknown_names WHERE name_hash = $1',
      [nameHash],
    );
    return row?.lockedUntil ?? null;
  }

  /** The last failure of the name after the first `count`, counted from the latest failure; null when there are no more. */
  async failureAfter(count: number): Promise<Date | null> {
    const [row] = await this.dataSource.query<{ failedAt: Date }[]>(
      'SELECT failed_at AS "failedAt" FROM unknown_names ORDER BY failed_at DESC OFFSET $1 LIMIT 1',
      [count],
    );
    return row?.failedAt ?? null;
  }

  /** Deletes at most `limit` names whose last failure is not after an instant; returns how many. */
  async remove(notAfter: Date, limit: number): Promise<number> {
    const [, count] = await this.dataSource.query<[unknown[], number]>(REMOVE, [notAfter, limit]);
    return count;
  }
}
