import type { EntityManager } from 'typeorm';

import { readRows } from '../../platform/database/queries/read-rows.js';

/** A destination and a log. */
export interface Route {
  readonly destination: string;
  readonly log: string;
}

/** The standing of a destination in a log. */
export interface Standing extends Route {
  /** Rows that the receiver does not have yet. */
  readonly rows: number;
  /** Age of the oldest of them in seconds; 0 without any. */
  readonly seconds: number;
  /** Rows that were removed before the receiver had them. */
  readonly lost: number;
  readonly failingSince: Date | null;
  readonly failure: string | null;
}

/** The place of each cursor among all rows, numbered or not. */
const STANDING = `
  SELECT c.destination, c.log, c.lost::float8, c.failing_since AS "failingSince", c.failure,
    (greatest(0, coalesce(h.last_number, 0) - c.number) + w.count)::float8 AS rows,
    coalesce(greatest(0, EXTRACT(EPOCH FROM clock_timestamp() - least(w.since, (
      SELECT e.written_at FROM forwarding_entries e WHERE e.log = c.log AND e.number > c.number ORDER BY e.number LIMIT 1)))), 0)::float8 AS seconds
  FROM forwarding_cursors c LEFT JOIN forwarding_heads h ON h.log = c.log
    CROSS JOIN LATERAL (SELECT count(*) AS count, min(written_at) AS since FROM forwarding_entries e WHERE e.number IS NULL AND e.log = c.log) w
  ORDER BY c.destination, c.log`;

/** The standing of every destination in every log that it gets. */
export function readStanding(manager: EntityManager): Promise<Standing[]> {
  return readRows<Standing>(manager, STANDING, []);
}
