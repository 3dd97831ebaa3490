import { Injectable } from '@nestjs/common';

import { keyPendingSql } from '../../../access/authorization/evaluation/device-scope.js';
import type { AgentPlace } from '../../../devices/device-link/agent-place.js';
import { DevicePresence } from '../../../devices/device-link/device-presence.js';
import { BoundedMap } from '../../../platform/common/collections/bounded-map.js';
import { KeyPendingError } from '../../../platform/common/errors/errors.js';
import { ReportsDataSource } from '../../../platform/database/connection/reserved-data-source.js';
import { BatchedLookup } from '../../../platform/database/queries/batched-lookup.js';
import { readRows } from '../../../platform/database/queries/read-rows.js';
import { ServerNode } from '../../../platform/node/server-node.js';
import { ServiceLine } from '../service-line.js';

/** Most places that are kept: some 150 bytes each. */
const MAXIMUM_PLACES = 10_000;

interface PlaceRow {
  readonly id: string;
  readonly tenantId: string;
  readonly nodeId: string;
  readonly connectionId: string;
  readonly isKeyPending: boolean;
}

/* An offline device may have an agent whose key waits beside the one in force: the rows do not say where that agent is connected. */
const FIND = `
  SELECT d.id, d.tenant_id AS "tenantId", d.node_id AS "nodeId", d.connection_id AS "connectionId",
         NOT d.is_online OR ${keyPendingSql('d')} AS "isKeyPending"
  FROM devices d JOIN tenants t ON t.id = d.tenant_id
  WHERE d.id = ANY($1::uuid[]) AND t.deleted_at IS NULL
    AND (d.is_online AND d.node_id <> $2 OR NOT d.is_online AND d.waiting_public_key <> '')`;

/** Connections of this node through which the devices were reached before they reported to another node. */
const ELSEWHERE = `
  SELECT mine.id, mine.connection_id AS "formerConnectionId"
  FROM unnest($1::uuid[], $2::text[]) AS mine (id, connection_id) JOIN devices d ON d.id = mine.id
  WHERE d.is_online AND d.node_id <> $3`;

interface Moved {
  readonly id: string;
  readonly formerConnectionId: string;
}

/** A place at another node. */
export type ForeignPlace = AgentPlace & { readonly nodeId: string };

/** The places of devices that are connected to other nodes, as the database has them. A place is kept until a call finds that it is wrong. */
@Injectable()
export class DeviceDirectory {
  private readonly places = new BoundedMap<string, ForeignPlace>(MAXIMUM_PLACES);
  private readonly lookup: BatchedLookup<PlaceRow>;
  private readonly moves = new BatchedLookup((ids) => this.elsewhere(ids));

  constructor(
    private readonly dataSource: ReportsDataSource,
    private readonly node: ServerNode,
    private readonly line: ServiceLine,
    private readonly presence: DevicePresence,
  ) {
    this.lookup = new BatchedLookup((ids) => readRows<PlaceRow>(dataSource.manager, FIND, [ids, node.id]));
  }

  /**
   * The place of a device; undefined when it is at no other node.
   * @throws KeyPendingError when its key waits for approval
   */
  async find(deviceId: string): Promise<ForeignPlace | undefined> {
    const known = this.places.get(deviceId);
    this.line.lookedUp(known === undefined ? 'miss' : 'hit');
    if (known !== undefined) return known;
    const row = await this.lookup.find(deviceId);
    if (row === null) return undefined;
    if (row.isKeyPending) throw new KeyPendingError();
    const { nodeId, connectionId, tenantId } = row;
    const place = { nodeId, connectionId, tenantId };
    this.places.set(deviceId, place);
    return place;
  }

  /** Forgets a place that was wrong, so that it is read the next time. One that is known by now stays. */
  forget(deviceId: string, { nodeId, connectionId }: AgentPlace): void {
    const known = this.places.get(deviceId);
    if (known?.nodeId === nodeId && known.connectionId === connectionId) this.places.delete(deviceId);
  }

  /** Reaches a device no more through its connection here if it has reported to another node since. */
  async leaveIfMoved(deviceId: string, connectionId: string): Promise<void> {
    if ((await this.moves.find(deviceId)) !== null) this.presence.offline(deviceId, connectionId);
  }

  /** Those of some devices that are reached here and have reported to another node since, with their connections here. */
  async elsewhere(deviceIds: readonly string[]): Promise<readonly Moved[]> {
    const here = new Map<string, { readonly connectionId: string }>();
    for (const id of deviceIds) {
      const update = this.presence.lastUpdateOf(id);
      if (update !== undefined) here.set(id, update);
    }
    const parameters = [[...here.keys()], [...here.values()].map(({ connectionId }) => connectionId), this.node.id];
    const moved = await readRows<Moved>(this.dataSource.manager, ELSEWHERE, parameters);
    // One that has reported here since is newer than its row.
    return moved.filter(({ id }) => here.get(id) === this.presence.lastUpdateOf(id));
  }
}
