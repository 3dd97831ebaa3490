import type { DataSource } from 'typeorm';

import { lockUntilCommit, type SingleLock } from '../locks/advisory-locks.js';
import { readRows } from '../queries/read-rows.js';

/** A table whose rows get numbers after they are committed, each series by itself. The names are constants of the program. */
export interface NumberedTable {
  /** It has the columns `id` and `number`, which is null until the row is numbered. */
  readonly table: string;
  /** The column whose value names the series. */
  readonly series: string;
  /** The table with the last number of each series: the column of the series, and `last_number`. */
  readonly heads: string;
  /** Column with the time of writing, by which rows are numbered that are committed at the same time. */
  readonly writtenAt: string;
  readonly lock: SingleLock;
  /** Channel on which the series is notified when its rows were numbered; null for none. */
  readonly channel: string | null;
}

/** Rows that one statement numbers. */
const BATCH = 1_000;

/** Outcome of numbering: the number of rows, and true if more may wait. */
export interface Numbered {
  readonly count: number;
  readonly areMore: boolean;
}

/**
 * Numbers rows whose transactions have committed, without gaps. Numbers cannot be given when rows are written: a transaction that takes
 * long would commit a smaller number after readers have gone past it. One process at a time gives them, so that a number is only given
 * when all smaller ones can be read: readers that go on after a number miss nothing, however long a transaction took.
 */
export async function numberCommitted(dataSource: DataSource, numbered: NumberedTable): Promise<Numbered> {
  const waiting = await readRows<object>(dataSource.manager, `SELECT 1 FROM ${numbered.table} WHERE number IS NULL LIMIT 1`, []);
  if (waiting.length === 0) return { count: 0, areMore: false };
  const series = await dataSource.transaction(async (manager) => {
    // A statement of its own: the next one sees what the former holder of the lock has numbered.
    await lockUntilCommit(manager, numbered.lock);
    return readRows<{ count: number }>(manager, statementOf(numbered), []);
  });
  const count = series.reduce((sum, one) => sum + one.count, 0);
  return { count, areMore: count === BATCH };
}

function statementOf({ table, series, heads, writtenAt, channel }: NumberedTable): string {
  return `
  WITH batch AS MATERIALIZED (
    SELECT id, ${series}, row_number() OVER (PARTITION BY ${series} ORDER BY ${writtenAt}, id) AS place
    FROM (SELECT id, ${series}, ${writtenAt} FROM ${table} WHERE number IS NULL ORDER BY ${writtenAt}, id LIMIT ${BATCH}) waiting
  ), counted AS (
    SELECT ${series}, count(*) AS count FROM batch GROUP BY ${series}
  ), heads AS (
    INSERT INTO ${heads} AS h (${series}, last_number) SELECT ${series}, count FROM counted
    ON CONFLICT (${series}) DO UPDATE SET last_number = h.last_number + EXCLUDED.last_number
    RETURNING ${series}, last_number
  ), numbered AS (
    UPDATE ${table} e SET number = heads.last_number - counted.count + batch.place
    FROM batch JOIN heads USING (${series}) JOIN counted USING (${series})
    WHERE e.id = batch.id
    RETURNING e.${series}
  )
  SELECT count(*)::int AS count${channel === null ? '' : `, pg_notify('${channel}', ${series}::text)`} FROM numbered GROUP BY ${series}`;
}
