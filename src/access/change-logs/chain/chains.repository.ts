import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

/** The head of a chain. `logId` is the tenant, or the all-zero GUID for the server. */
export interface ChainHead {
  readonly logId: string;
  /** The position of its last entry; 0 for an empty chain. */
  readonly position: number;
  /** Its hash in hexadecimal; empty for an empty chain. */
  readonly hash: string;
}

const HEAD = `log_id AS "logId", position::float8 AS position, encode(hash, 'hex') AS hash`;

/** The chains whose oldest entry is from before an instant, or is missing. */
const EXPIRED_CHAINS = `
  SELECT c.log_id AS "logId" FROM change_log_chains c
    CROSS JOIN LATERAL (SELECT l.entry_id FROM change_log_links l WHERE l.log_id = c.log_id ORDER BY l.position LIMIT 1) oldest
    LEFT JOIN authorization_change_logs e ON e.id = oldest.entry_id
  WHERE e.id IS NULL OR e.created_at < $1 ORDER BY 1`;

/**
 * The last of the first links of a log that may go: all entries up to it are from before an instant. The order of a chain is that in which
 * transactions ended, so that an entry behind a younger one stays with it.
 */
const LAST_EXPIRED = `
  WITH oldest AS (
    SELECT l.position, l.hash, e.created_at FROM change_log_links l LEFT JOIN authorization_change_logs e ON e.id = l.entry_id
    WHERE l.log_id = $1 ORDER BY l.position LIMIT $3
  )
  SELECT position::text, hash FROM oldest
  WHERE created_at < $2 AND position < ALL (SELECT position FROM oldest WHERE created_at >= $2) ORDER BY oldest.position DESC LIMIT 1`;

const REMOVE_ENTRIES = `
  DELETE FROM authorization_change_logs e USING change_log_links l WHERE l.log_id = $1 AND l.position <= $2 AND e.id = l.entry_id`;
const REMOVE_LINKS = 'DELETE FROM change_log_links WHERE log_id = $1 AND position <= $2';
const KEEP_END = 'UPDATE change_log_chains SET removed_position = $2, removed_hash = $3 WHERE log_id = $1 AND removed_position < $2';

/** Deletes by physical row position (ctid), which is safe because entries are never updated. */
const REMOVE_UNLINKED = `
  DELETE FROM authorization_change_logs WHERE ctid = ANY (ARRAY(
    SELECT e.ctid FROM authorization_change_logs e
    WHERE e.created_at < $1 AND NOT EXISTS (SELECT FROM change_log_links l WHERE l.entry_id = e.id) LIMIT $2))`;

/** The same for one tenant. Looks up each link by itself: few expired entries are left, and a join might read the links of all tenants. */
const REMOVE_UNLINKED_OF = `
  DELETE FROM authorization_change_logs WHERE ctid = ANY (ARRAY(
    SELECT e.ctid FROM authorization_change_logs e
    WHERE e.owning_tenant_id = $1 AND e.created_at < $2 AND (SELECT l.position FROM change_log_links l WHERE l.entry_id = e.id) IS NULL
    LIMIT $3))`;

/** The SQL of the chains of the change log, except for new links, which the database writes. */
@Injectable()
export class ChainsRepository {
  /** Returns the head of a log; null while nothing was written to it. */
  async head(manager: EntityManager, logId: string): Promise<ChainHead | null> {
    const [head] = await manager.query<ChainHead[]>(`SELECT ${HEAD} FROM change_log_chains WHERE log_id = $1`, [logId]);
    return head ?? null;
  }

  /** Returns heads in the order of their logs. */
  heads(manager: EntityManager, after: string | null, limit: number): Promise<ChainHead[]> {
    return manager.query<ChainHead[]>(
      `SELECT ${HEAD} FROM change_log_chains WHERE $1::uuid IS NULL OR log_id > $1 ORDER BY log_id LIMIT $2`,
      [after, limit],
    );
  }

  /** Returns the logs that begin with an entry from before an instant. */
  async expired(manager: EntityManager, before: Date): Promise<readonly string[]> {
    return (await manager.query<{ logId: string }[]>(EXPIRED_CHAINS, [before])).map(({ logId }) => logId);
  }

  /**
   * Deletes at most `limit` entries from before an instant with which a log begins, in a transaction of the caller, and returns how many. The
   * chain keeps the hash of the last of them. Its head is taken last: writers of the log wait for it.
   */
  async removeExpired(manager: EntityManager, logId: string, before: Date, limit: number): Promise<number> {
    const [last] = await manager.query<{ position: string; hash: Buffer }[]>(LAST_EXPIRED, [logId, before, limit]);
    if (last === undefined) return 0;
    const [, count] = await manager.query<[unknown[], number]>(REMOVE_ENTRIES, [logId, last.position]);
    await manager.query(REMOVE_LINKS, [logId, last.position]);
    await manager.query(KEEP_END, [logId, last.position, last.hash]);
    return count;
  }

  /** Deletes at most `limit` entries without a link from before an instant and returns how many. */
  async removeUnlinked(manager: EntityManager, before: Date, limit: number): Promise<number> {
    const [, count] = await manager.query<[unknown[], number]>(REMOVE_UNLINKED, [before, limit]);
    return count;
  }

  /** The same for the entries of one tenant. */
  async removeUnlinkedOf(manager: EntityManager, tenantId: string, before: Date, limit: number): Promise<number> {
    const [, count] = await manager.query<[unknown[], number]>(REMOVE_UNLINKED_OF, [tenantId, before, limit]);
    return count;
  }
}
