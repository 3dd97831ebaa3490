import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

import { BoundedMap } from '../../../platform/common/collections/bounded-map.js';
import { BatchedLookup } from '../../../platform/database/queries/batched-lookup.js';
import { readRows } from '../../../platform/database/queries/read-rows.js';

/** Most addresses that are kept. */
const MAXIMUM_ADDRESSES = 256;

interface AddressRow {
  readonly id: string;
  readonly address: string;
}

const FIND = 'SELECT id, address FROM nodes WHERE id = ANY($1::text[]) AND address IS NOT NULL';

/** A host, without the brackets of a URL, and a port. */
export interface NodeAddress {
  readonly host: string;
  readonly port: number;
}

/** The addresses at which other nodes are reached. A node keeps its address for its life, and its id is never used again. */
@Injectable()
export class NodeAddresses {
  private readonly known = new BoundedMap<string, NodeAddress>(MAXIMUM_ADDRESSES);
  private readonly lookup: BatchedLookup<AddressRow>;

  // Not the reserved connections, and one query at a time: anybody can ask for a hub connection of a node that there is not.
  constructor(dataSource: DataSource) {
    this.lookup = new BatchedLookup((ids) => readRows<AddressRow>(dataSource.manager, FIND, [ids]));
  }

  /** The address of a node; null when there is no such node any more. */
  async find(nodeId: string): Promise<NodeAddress | null> {
    const known = this.known.get(nodeId);
    if (known !== undefined) return known;
    const row = await this.lookup.find(nodeId);
    if (row === null) return null;
    const { address: text } = row;
    const at = text.lastIndexOf(':');
    const address = { host: text.slice(0, at).replace(/^\[(.*)\]$/, '$1'), port: Number(text.slice(at + 1)) };
    this.known.set(nodeId, address);
    return address;
  }

  /** Forgets the address of a node that did not answer there, so that it is read the next time. */
  forget(nodeId: string): void {
    this.known.delete(nodeId);
  }
}
