import { Injectable } from '@nestjs/common';

import { BoundedMap } from '../../../platform/common/collections/bounded-map.js';
import { ReportsDataSource } from '../../../platform/database/connection/reserved-data-source.js';
import { BatchedLookup } from '../../../platform/database/queries/batched-lookup.js';
import { readRows } from '../../../platform/database/queries/read-rows.js';
import { ServerNode } from '../../../platform/node/server-node.js';
import { ServiceLine } from '../service-line.js';

/** Most places that are kept. */
const MAXIMUM_PLACES = 10_000;

interface PlaceRow {
  readonly id: string;
  readonly nodeId: string;
}

const FIND = `SELECT connection_id AS id, node_id AS "nodeId" FROM viewer_places WHERE connection_id = ANY($1::text[]) AND node_id <> $2`;
const ADD = `INSERT INTO viewer_places (connection_id, node_id) VALUES ($1, $2) ON CONFLICT (connection_id) DO UPDATE SET node_id = $2`;
const REMOVE = `DELETE FROM viewer_places WHERE connection_id = $1 AND node_id = $2`;

/** The nodes of viewers to which devices may have to send something. */
@Injectable()
export class ViewerDirectory {
  private readonly places = new BoundedMap<string, string>(MAXIMUM_PLACES);
  private readonly lookup: BatchedLookup<PlaceRow>;

  constructor(
    private readonly dataSource: ReportsDataSource,
    private readonly node: ServerNode,
    private readonly line: ServiceLine,
  ) {
    this.lookup = new BatchedLookup((ids) => readRows<PlaceRow>(dataSource.manager, FIND, [ids, node.id]));
  }

  /** The node of a viewer; undefined when it is connected to no other one. */
  async find(connectionId: string): Promise<string | undefined> {
    const known = this.places.get(connectionId);
    this.line.lookedUp(known === undefined ? 'miss' : 'hit');
    if (known !== undefined) return known;
    const row = await this.lookup.find(connectionId);
    if (row !== null) this.places.set(connectionId, row.nodeId);
    return row?.nodeId;
  }

  /** Forgets a place, so that it is read the next time. */
  forget(connectionId: string): void {
    this.places.delete(connectionId);
  }

  /** Notes that the viewer is connected to this node. */
  async add(connectionId: string): Promise<void> {
    await this.dataSource.query(ADD, [connectionId, this.node.id]);
  }

  async remove(connectionId: string): Promise<void> {
    await this.dataSource.query(REMOVE, [connectionId, this.node.id]);
  }
}
