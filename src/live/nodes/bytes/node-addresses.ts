import { Injectable } from '@nestjs/common';

import { BoundedMap } from '../../../platform/common/collections/bounded-map.js';
import { ServerNode } from '../../../platform/node/server-node.js';

/** Most addresses that are kept. */
const MAXIMUM_ADDRESSES = 256;

/** A host, without the brackets of a URL, and a port. */
export interface NodeAddress {
  readonly host: string;
  readonly port: number;
}

/** The addresses at which other nodes are reached. A node keeps its address for its life, and its id is never used again. */
@Injectable()
export class NodeAddresses {
  private readonly known = new BoundedMap<string, NodeAddress>(MAXIMUM_ADDRESSES);

  constructor(private readonly node: ServerNode) {}

  /** The address of a node; null when there is no such node any more. */
  async find(nodeId: string): Promise<NodeAddress | null> {
    const known = this.known.get(nodeId);
    if (known !== undefined) return known;
    const text = await this.node.addressOf(nodeId);
    if (text === null) return null;
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
