import type { IncomingMessage } from 'node:http';

import type { CalledHost } from './called-host.js';

/** A request as the node received it that passed it on. */
export interface Edge {
  /** The client's address. */
  readonly address: string;
  /** True if the client called over TLS. */
  readonly isSecure: boolean;
  readonly host: CalledHost;
  /** The id of the request there. */
  readonly requestId: string;
  /** The time at which it was read there, by the database's clock in milliseconds. Nodes of earlier releases do not say it. */
  readonly readAt?: number | undefined;
}

const EDGE = Symbol('edge');

interface PassedOn extends IncomingMessage {
  [EDGE]?: Edge;
}

/** The edge of a request that another node passed on; undefined for one that came from a client or a proxy. */
export function edgeOf(request: IncomingMessage): Edge | undefined {
  return (request as PassedOn)[EDGE];
}

/** Notes that another node passed a request on. From then on its address, scheme and host are those that the client called with. */
export function setEdge(request: IncomingMessage & { id?: string }, edge: Edge): void {
  (request as PassedOn)[EDGE] = edge;
  request.id = edge.requestId;
}
