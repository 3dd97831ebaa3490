import type { ClientBase } from 'pg';

import { SERVER_LOG } from '../../authorization/change-log/server-log.js';
import { COVERED } from './entry-hash.js';

/** Links that one statement reads. */
const PAGE = 1_000;

/** The two ends of a chain. */
export interface Chain {
  readonly logId: string;
  readonly position: number;
  readonly hash: Buffer;
  readonly removedPosition: number;
  readonly removedHash: Buffer;
}

/** A link with its entry. */
export interface Link {
  readonly position: number;
  readonly entryId: string;
  readonly previous: Buffer;
  readonly hash: Buffer;
  /** The texts of the entry, in the order of `COVERED`; null when there is no such entry. */
  readonly covered: readonly (string | null)[] | null;
}

/** An entry that has no link. */
export interface UnlinkedEntry {
  readonly logId: string;
  readonly entryId: string;
  readonly count: number;
}

/** All chains, and the logs with links that have none, whose ends are null. */
const CHAINS = `
  SELECT log_id AS "logId", c.position::float8 AS position, c.hash, c.removed_position::float8 AS "removedPosition", c.removed_hash AS "removedHash"
  FROM change_log_chains c FULL JOIN (SELECT DISTINCT log_id FROM change_log_links) l USING (log_id)
  WHERE $1::uuid IS NULL OR log_id = $1 ORDER BY log_id`;

const LINKS = `
  SELECT l.position::float8, l.entry_id, l.previous_hash, l.hash, ${COVERED.join(', ')}
  FROM change_log_links l LEFT JOIN authorization_change_logs e ON e.id = l.entry_id
  WHERE l.log_id = $1 AND l.position > $2 ORDER BY l.position LIMIT ${PAGE}`;

const HAS_HASH = 'SELECT 1 FROM change_log_links WHERE log_id = $1 AND hash = $2 LIMIT 1';

const UNLINKED = `
  SELECT DISTINCT ON (e.owning_tenant_id) coalesce(e.owning_tenant_id, '${SERVER_LOG}') AS "logId", e.id AS "entryId",
    count(*) OVER (PARTITION BY e.owning_tenant_id)::float8 AS count
  FROM authorization_change_logs e
  WHERE NOT EXISTS (SELECT FROM change_log_links l WHERE l.entry_id = e.id)
    AND ($1::uuid IS NULL OR coalesce(e.owning_tenant_id, '${SERVER_LOG}') = $1)
  ORDER BY e.owning_tenant_id, e.created_at, e.id`;

type LinkRow = [position: number, entryId: string, previous: Buffer, hash: Buffer, ...covered: (string | null)[]];

/** Reads chains over a connection, whose transaction shows it one moment. Nothing that the database keeps for itself is trusted: hashes are computed here. */
export class ChainRows {
  constructor(private readonly client: ClientBase) {}

  /** The chains of all logs, or of one. Those without ends are `null`. */
  async chains(logId: string | null): Promise<readonly (Chain | { readonly logId: string; readonly position: null })[]> {
    return (await this.client.query<Chain>(CHAINS, [logId])).rows;
  }

  /** The links of a log after a position, in their order, page by page. */
  async *links(logId: string, after: number): AsyncGenerator<Link> {
    for (let last = after, isLast = false; !isLast;) {
      const { rows } = await this.client.query<LinkRow>({ text: LINKS, values: [logId, last], rowMode: 'array' });
      for (const [position, entryId, previous, hash, ...covered] of rows) {
        yield { position, entryId, previous, hash, covered: covered[0] === null ? null : covered };
        last = position;
      }
      isLast = rows.length < PAGE;
    }
  }

  /** Checks whether an entry of a log has a hash. */
  async hasHash(logId: string, hash: Buffer): Promise<boolean> {
    return (await this.client.query(HAS_HASH, [logId, hash])).rows.length > 0;
  }

  /** Of each log with entries that have no link, the first, and how many there are. */
  async unlinked(logId: string | null): Promise<readonly UnlinkedEntry[]> {
    return (await this.client.query<UnlinkedEntry>(UNLINKED, [logId])).rows;
  }
}
