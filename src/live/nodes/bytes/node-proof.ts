import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

import type { Edge } from '../../../platform/http/addresses/edge.js';

/** Headers with which a node proves a request that it passes on: its time, the edge, and the proof of these, the method and the path. */
const NodeHeader = { Time: 'x-node-time', Edge: 'x-node-edge', Proof: 'x-node-proof' } as const;

/** True for a header of {@link NodeHeader}, which no client can send to another node. */
export const isNodeHeader = (name: string): boolean => NODE_HEADERS.has(name.toLowerCase());
const NODE_HEADERS: ReadonlySet<string> = new Set(Object.values(NodeHeader));

/** Age at which a proof is not accepted any more, in milliseconds by the database's clock. */
const MAXIMUM_AGE_MS = 30_000;

/** A request to prove. */
export interface Proved {
  readonly method: string;
  /** The path with its query. */
  readonly url: string;
  readonly edge: Edge;
}

/** Proves requests between nodes, by secrets that all nodes have. */
export class NodeProof {
  private readonly keys: readonly KeyObject[];

  /**
   * @param secrets the first one signs, all are accepted
   * @param databaseTime the database's clock, in milliseconds
   */
  constructor(
    secrets: readonly string[],
    private readonly databaseTime: () => number,
  ) {
    // A key is prepared once, a text for each proof.
    this.keys = secrets.map((secret) => createSecretKey(secret, 'utf8'));
  }

  /** The headers that prove a request. */
  prove({ method, url, edge }: Proved): Record<string, string> {
    const time = String(Math.round(this.databaseTime()));
    const text = Buffer.from(JSON.stringify(edge)).toString('base64url');
    const proof = proofOf(this.keys[0], [method, url, time, text]);
    return { [NodeHeader.Time]: time, [NodeHeader.Edge]: text, [NodeHeader.Proof]: proof };
  }

  /** The edge of a request that a node has proved; null for any other request. */
  check({ method = '', url = '', headers }: Pick<IncomingMessage, 'method' | 'url' | 'headers'>): Edge | null {
    const [time, edge, proof] = [headers[NodeHeader.Time], headers[NodeHeader.Edge], headers[NodeHeader.Proof]];
    if (typeof time !== 'string' || typeof edge !== 'string' || typeof proof !== 'string') return null;
    const isProved = this.keys.some((key) => isEqual(proof, proofOf(key, [method, url, time, edge])));
    if (!isProved || !(Math.abs(this.databaseTime() - Number(time)) <= MAXIMUM_AGE_MS)) return null;
    // Only a node could prove it.
    return JSON.parse(Buffer.from(edge, 'base64url').toString()) as Edge;
  }
}

// Neither a method nor a path nor a header contains a line feed, so that no two requests have the same text.
function proofOf(key: KeyObject, parts: readonly string[]): string {
  return createHmac('sha256', key).update(parts.join('\n')).digest('base64url');
}

function isEqual(given: string, expected: string): boolean {
  return given.length === expected.length && timingSafeEqual(Buffer.from(given, 'latin1'), Buffer.from(expected, 'latin1'));
}
