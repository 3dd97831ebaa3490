import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

import { AdvisoryLock, NamedAdvisoryLock, unlessLocked } from '../../platform/database/locks/advisory-locks.js';
import { numberCommitted, type Numbered, type NumberedTable } from '../../platform/database/numbering/number-committed.js';
import { readRows } from '../../platform/database/queries/read-rows.js';
import { readStanding, type Route, type Standing } from './forwarding-standing.js';
import { lineOf, type ForwardedLine, type ForwardedLog, type WaitingRow } from './forwarded-line.js';

/** The lines as the database numbers them: each log's by itself. Nobody is notified: the forwarder looks again soon. */
const NUMBERS: NumberedTable = {
  table: 'forwarding_entries',
  series: 'log',
  heads: 'forwarding_heads',
  writtenAt: 'written_at',
  lock: AdvisoryLock.ForwardingNumbers,
  channel: null,
};

/** Longest reason of a failure that is kept, in characters. */
const MAXIMUM_FAILURE = 500;
/** Text of the rows of one batch, in characters; one row may have more. */
const MAXIMUM_BATCH = 1_048_576;

const BEHIND = `
  SELECT DISTINCT c.destination FROM forwarding_cursors c JOIN forwarding_heads h ON h.log = c.log WHERE c.number < h.last_number`;

const latestName = (subject: string): string => `
  SELECT coalesce(s.name, (SELECT n.name FROM change_log_names n WHERE n.log_id = s.log_id AND n.subject_id = s.subject_id
                           ORDER BY n.first_seen_at DESC LIMIT 1))
  FROM change_log_subjects s WHERE s.entry_id = (e.data ->> 'id')::uuid AND s.subject_id = (e.data ->> '${subject}')::uuid`;

/** Names of the actor and the target, and the place in the chain, of entries of the change log that still exist. */
const MORE_OF_CHANGE = `
  jsonb_build_object('actorName', (${latestName('actor_principal_id')}), 'targetName', (${latestName('target_id')}),
    'chain', (SELECT jsonb_build_object('tenantId', e.data -> 'owning_tenant_id', 'position', l.position, 'hash', encode(l.hash, 'hex'))
              FROM change_log_links l WHERE l.entry_id = (e.data ->> 'id')::uuid))`;

const READ = `
  SELECT e.id, e.number, e.written_at AS "writtenAt", e.data, CASE WHEN $1 = 'ChangeLog' THEN ${MORE_OF_CHANGE} END AS more
  FROM (
    SELECT id, number, written_at, data, sum(length(data::text)) OVER (ORDER BY number) AS length, row_number() OVER (ORDER BY number) AS place
    FROM (
      SELECT id, number, written_at, data FROM forwarding_entries
      WHERE log = $1 AND number > (SELECT number FROM forwarding_cursors WHERE destination = $2 AND log = $1)
      ORDER BY number LIMIT $3
    ) next
  ) e
  WHERE e.length <= ${MAXIMUM_BATCH} OR e.place = 1
  ORDER BY e.number`;

/** A success ends the failures of the destination, in all logs. */
const ADVANCE = `
  UPDATE forwarding_cursors
  SET number = CASE WHEN log = $2 THEN greatest(number, $3) ELSE number END, failing_since = NULL, failure = NULL
  WHERE destination = $1 AND (log = $2 OR failure IS NOT NULL)`;

const NOTE_FAILURE = `
  UPDATE forwarding_cursors SET failure = $2, failing_since = coalesce(failing_since, now()) WHERE destination = $1`;

const WANTED = 'jsonb_to_recordset($1::jsonb) AS w(destination text, log text)';

const REMOVE_CURSORS = `
  DELETE FROM forwarding_cursors c WHERE NOT EXISTS (SELECT FROM ${WANTED} WHERE w.destination = c.destination AND w.log = c.log)`;

/** A new destination begins behind the rows that there are. */
const ADD_CURSORS = `
  INSERT INTO forwarding_cursors (destination, log, number)
  SELECT w.destination, w.log, coalesce(h.last_number, 0) FROM ${WANTED} LEFT JOIN forwarding_heads h ON h.log = w.log
  ON CONFLICT DO NOTHING`;

/**
 * Moves cursors to the last row that is too old. Counts the rows that they skip and that still exist. It locks the cursors, so that one that
 * moves at this moment is read again.
 */
const GIVE_UP = `
  UPDATE forwarding_cursors c SET number = o.last, lost = c.lost + o.count
  FROM (
    SELECT p.destination, p.log, p.last,
      (SELECT count(*) FROM forwarding_entries e WHERE e.log = p.log AND e.number > p.number AND e.number <= p.last) AS count
    FROM (
      SELECT c.destination, c.log, c.number, coalesce(
        (SELECT e.number - 1 FROM forwarding_entries e WHERE e.log = c.log AND e.number > c.number AND e.written_at >= $1 ORDER BY e.number LIMIT 1),
        (SELECT max(e.number) FROM forwarding_entries e WHERE e.log = c.log AND e.number > c.number)) AS last
      FROM forwarding_cursors c FOR UPDATE
    ) p
    WHERE p.last > p.number
  ) o
  WHERE c.destination = o.destination AND c.log = o.log
  RETURNING c.destination, c.log, o.count::float8 AS count`;

/** Rows that all destinations of their log have, or that no destination wants. Those without a number may not have been seen yet. */
const REMOVE_DONE = `
  DELETE FROM forwarding_entries WHERE id = ANY (ARRAY(
    SELECT id FROM forwarding_entries
    WHERE log = $1 AND number <= coalesce((SELECT min(number) FROM forwarding_cursors WHERE log = $1), number) LIMIT $2))`;

/** The SQL of forwarding. */
@Injectable()
export class ForwardingRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Numbers a batch of committed rows. */
  number(): Promise<Numbered> {
    return numberCommitted(this.dataSource, NUMBERS);
  }

  /** Makes the cursors those of these routes. Returns the standing of those that it removed. */
  async arrange(routes: readonly Route[]): Promise<readonly Standing[]> {
    const wanted = JSON.stringify(routes);
    return this.dataSource.transaction(async (manager) => {
      const removed = await readStanding(manager);
      await manager.query(REMOVE_CURSORS, [wanted]);
      await manager.query(ADD_CURSORS, [wanted]);
      return removed.filter((one) => !routes.some(({ destination, log }) => destination === one.destination && log === one.log));
    });
  }

  /** Destinations for which numbered rows wait. */
  async behind(): Promise<ReadonlySet<string>> {
    return new Set((await readRows<{ destination: string }>(this.dataSource.manager, BEHIND, [])).map(({ destination }) => destination));
  }

  /** Runs the work unless another process forwards to the destination; returns false then. */
  async alone(destination: string, work: () => Promise<void>): Promise<boolean> {
    const connection = this.dataSource.createQueryRunner();
    try {
      const done = await unlessLocked(connection, NamedAdvisoryLock.Forwarding, destination, async () => {
        await work();
        return true;
      });
      return done === true;
    } finally {
      await connection.release();
    }
  }

  /** The next lines of a log for a destination, at most so many, and no more than fit into a batch. */
  async next(destination: string, log: ForwardedLog, limit: number): Promise<readonly ForwardedLine[]> {
    const rows = await readRows<WaitingRow>(this.dataSource.manager, READ, [log, destination, limit]);
    return rows.map((row) => lineOf(log, row));
  }

  /** Notes that the receiver has the lines up to this number. */
  async advance(destination: string, log: string, number: string): Promise<void> {
    await this.dataSource.query(ADVANCE, [destination, log, number]);
  }

  /** Notes the reason of a failure, until the next success. */
  async noteFailure(destination: string, failure: string): Promise<void> {
    await this.dataSource.query(NOTE_FAILURE, [destination, failure.slice(0, MAXIMUM_FAILURE)]);
  }

  /** The standing of every destination. */
  standing(): Promise<Standing[]> {
    return readStanding(this.dataSource.manager);
  }

  /** Moves cursors past rows from before an instant. Returns how many rows each destination does not get. */
  async giveUp(before: Date): Promise<readonly (Route & { readonly count: number })[]> {
    const [lost] = await this.dataSource.query<[(Route & { readonly count: number })[], number]>(GIVE_UP, [before]);
    return lost;
  }

  /** Deletes at most `limit` rows of a log that no destination waits for. Returns how many. */
  async removeDone(log: string, limit: number): Promise<number> {
    const [, count] = await this.dataSource.query<[unknown[], number]>(REMOVE_DONE, [log, limit]);
    return count;
  }
}
