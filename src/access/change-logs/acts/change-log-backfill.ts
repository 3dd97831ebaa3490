import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

/** Entries that one transaction indexes. */
const BATCH = 1_000;

const HOLD = 'SELECT next_id AS "nextId" FROM change_log_backfill FOR UPDATE';
const INDEX = `
  WITH batch AS MATERIALIZED (SELECT l FROM authorization_change_logs l WHERE l.id < $1 ORDER BY l.id DESC LIMIT $2),
  done AS MATERIALIZED (SELECT index_change_log(array_agg(l)) FROM batch)
  SELECT count(*)::integer AS count, (array_agg((batch.l).id ORDER BY (batch.l).id))[1] AS "nextId" FROM batch, done`;
const MOVE = 'UPDATE change_log_backfill SET next_id = $1';
const END = 'DELETE FROM change_log_backfill';

/** Indexes entries that were written before the index of the change log existed, the newest first. */
@Injectable()
export class ChangeLogBackfillJob {
  constructor(private readonly dataSource: DataSource) {}

  /** Indexes what is left, batch by batch, and returns how many entries. Each batch is kept when the next one fails. */
  async run(signal: AbortSignal): Promise<number> {
    let total = 0;
    let count: number | null = null;
    while (!signal.aborted && count !== 0) {
      count = await this.next();
      total += count;
    }
    return total;
  }

  private next(): Promise<number> {
    return this.dataSource.transaction(async (manager) => {
      const [place] = await manager.query<{ nextId: string }[]>(HOLD);
      if (place === undefined) return 0;
      const [{ count, nextId }] = await manager.query<[{ count: number; nextId: string | null }]>(INDEX, [place.nextId, BATCH]);
      if (nextId === null) await manager.query(END);
      else await manager.query(MOVE, [nextId]);
      return count;
    });
  }
}
