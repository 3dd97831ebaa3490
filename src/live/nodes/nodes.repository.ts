import { Injectable } from '@nestjs/common';

import { ReportsDataSource } from '../../platform/database/connection/reserved-data-source.js';
import { readRows } from '../../platform/database/queries/read-rows.js';
import { MAXIMUM_NODES } from '../../platform/node/maximum-nodes.js';
import type { NodeShare } from './balance/balance.js';

/** A node without a report for so long may be gone, in milliseconds. */
const OVERDUE_MS = 9_000;

const SERVING = `
  SELECT id FROM nodes
  WHERE state = 'running' AND last_seen_at > now() - $1 * interval '1 millisecond' AND started_at < now() - $2 * interval '1 millisecond'
  ORDER BY id`;

const SHARES = `
  SELECT id, state = 'draining' AS "isDraining", connections, started_at < now() - $2 * interval '1 millisecond' AS "isSettled"
  FROM nodes WHERE last_seen_at > now() - $1 * interval '1 millisecond'`;

const ROOM = `
  SELECT current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
      - COALESCE(current_setting('reserved_connections', true)::int, 0) AS allowed,
    (SELECT count(*)::int FROM nodes WHERE last_seen_at > now() - $1 * interval '1 millisecond') AS nodes`;

const ADDRESSED = `SELECT id, address FROM nodes ORDER BY started_at, id LIMIT ${MAXIMUM_NODES}`;

/** A node with the host and port at which others reach it; null until it has announced them. */
export interface AddressedNode {
  readonly id: string;
  readonly address: string | null;
}

/** The SQL of the list of nodes. */
@Injectable()
export class NodesRepository {
  constructor(private readonly dataSource: ReportsDataSource) {}

  /** Ids of the nodes that report to the database, are not about to stop, and have run for so many milliseconds. */
  async serving(sinceMs: number): Promise<readonly string[]> {
    const rows = await readRows<{ readonly id: string }>(this.dataSource.manager, SERVING, [OVERDUE_MS, sinceMs]);
    return rows.map(({ id }) => id);
  }

  /** All nodes of the list, those that run longest first. */
  addressed(): Promise<readonly AddressedNode[]> {
    return readRows<AddressedNode>(this.dataSource.manager, ADDRESSED, []);
  }

  /** The nodes that report, with their hub connections as of their last report. A node is settled when it has run for so many milliseconds. */
  shares(settledMs: number): Promise<readonly NodeShare[]> {
    return readRows<NodeShare>(this.dataSource.manager, SHARES, [OVERDUE_MS, settledMs]);
  }

  /** The connections that the database allows to ordinary accounts, and the number of nodes that report, this one among them. */
  async connectionRoom(): Promise<{ readonly allowed: number; readonly nodes: number }> {
    const [room] = await readRows<{ readonly allowed: number; readonly nodes: number }>(this.dataSource.manager, ROOM, [OVERDUE_MS]);
    return room ?? { allowed: 0, nodes: 0 };
  }
}
