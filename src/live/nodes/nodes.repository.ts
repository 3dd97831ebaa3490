import { Injectable } from '@nestjs/common';

import { ReportsDataSource } from '../../platform/database/connection/reserved-data-source.js';
import { readRows } from '../../platform/database/queries/read-rows.js';

/** A node without a report for so long may be gone, in milliseconds. */
const OVERDUE_MS = 9_000;

const SERVING = `
  SELECT id FROM nodes
  WHERE state = 'running' AND last_seen_at > now() - $1 * interval '1 millisecond' AND started_at < now() - $2 * interval '1 millisecond'
  ORDER BY id`;

/** The SQL of the list of nodes. */
@Injectable()
export class NodesRepository {
  constructor(private readonly dataSource: ReportsDataSource) {}

  /** Ids of the nodes that report to the database, are not about to stop, and have run for so many milliseconds. */
  async serving(sinceMs: number): Promise<readonly string[]> {
    const rows = await readRows<{ readonly id: string }>(this.dataSource.manager, SERVING, [OVERDUE_MS, sinceMs]);
    return rows.map(({ id }) => id);
  }
}
