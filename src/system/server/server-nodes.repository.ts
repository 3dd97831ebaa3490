import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

import { readRows } from '../../platform/database/queries/read-rows.js';
import { MAXIMUM_NODES } from '../../platform/node/maximum-nodes.js';
import type { NodeState } from '../../platform/node/server-node.js';

/** A row of the list of nodes. */
export interface ListedNode {
  readonly id: string;
  readonly address: string | null;
  readonly release: string;
  readonly state: NodeState;
  readonly connections: number;
  readonly startedAt: Date;
  readonly reportedAt: Date;
  readonly isOverdue: boolean;
}

const LIST = `
  SELECT id, address, version AS release, state, connections, started_at AS "startedAt", last_seen_at AS "reportedAt",
    last_seen_at < now() - $1 * interval '1 millisecond' AS "isOverdue"
  FROM nodes ORDER BY started_at, id LIMIT ${MAXIMUM_NODES}`;

/** The SQL of the page of nodes. */
@Injectable()
export class ServerNodesRepository {
  /** The nodes, those that run longest first. One without a report for so many milliseconds is overdue. */
  list(manager: EntityManager, overdueAfterMs: number): Promise<ListedNode[]> {
    return readRows<ListedNode>(manager, LIST, [overdueAfterMs]);
  }
}
