import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Upgrade } from './upgrade-router.js';

/** The client that negotiates, and its request. */
export interface NegotiationRequest {
  /** The version of the negotiation. In version 0 a connection has one id, which is its token as well. */
  readonly version: number;
  /** The client for limits that count by client. */
  readonly client: string;
  /** Undefined for clients without a user. */
  readonly userId: string | undefined;
  /** True if the client may come back to the connection over another socket. */
  readonly stays: boolean;
}

/** A negotiated connection. */
export interface Negotiated {
  /** Others may know it. */
  readonly connectionId: string;
  /** The secret with which the client opens the connection and speaks for it. */
  readonly token: string;
}

/** The client and the request that show a token. */
export interface Claimant {
  readonly userId: string | undefined;
  /** True if the request may open the connection. */
  readonly opens: boolean;
  readonly isWebSocket: boolean;
}

/** The answer to a token. */
export type Claim =
  /** A connection that this request opens here. {@link ConnectionHomes.ended} has to follow, also when it cannot be opened. */
  | { readonly outcome: 'new'; readonly connectionId: string; readonly stays: boolean }
  /** A connection that was opened here before. */
  | { readonly outcome: 'open'; readonly connectionId: string }
  /** A connection that another node has. */
  | { readonly outcome: 'elsewhere'; readonly home: Home }
  /** No connection, or none of this user. */
  | { readonly outcome: 'unknown' };

/** The node that has a connection. */
export interface Home {
  /** Lets that node answer a request. */
  forward(request: IncomingMessage, response: ServerResponse): void;
  /** Lets that node decide about an upgrade. */
  splice(upgrade: Upgrade): void;
}

/**
 * The negotiated connections of a hub, and the nodes that have them. A service with several nodes has homes that let any node answer any
 * request.
 */
export interface ConnectionHomes {
  /** Negotiates a connection. Undefined when too many wait to be opened already. */
  issue(request: NegotiationRequest): Negotiated | undefined;
  /**
   * The home of a connection of another node, for a token that a client of it has shown here before; undefined for any other token. It is
   * asked before the client of a request that is no WebSocket is authenticated: the home does that.
   */
  knownElsewhere?(token: string): Home | undefined;
  /** Finds the connection of a token. Every request that shows one asks, before its body is read. */
  claim(token: string, by: Claimant): Claim | Promise<Claim>;
  /** Forgets a connection that was opened with this token and has ended. */
  ended(token: string): void;
  /** Forgets connections that were not opened in time. */
  sweep(): void;
}
