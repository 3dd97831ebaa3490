import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Upgrade } from './upgrade-router.js';

/** Who negotiates, and for what. */
export interface NegotiationRequest {
  /** The version of the negotiation. In version 0 a connection has one id, which is its token as well. */
  readonly version: number;
  /** For limits that count by client. */
  readonly client: string;
  /** Undefined for clients without a user. */
  readonly userId: string | undefined;
  /** Whether the client may come back to the connection over another socket. */
  readonly stays: boolean;
}

/** A negotiated connection. */
export interface Negotiated {
  /** Others may know it. */
  readonly connectionId: string;
  /** The secret with which the client opens the connection and speaks for it. */
  readonly token: string;
}

/** Who shows a token. */
export interface Claimant {
  readonly userId: string | undefined;
  /** Whether the request may open the connection. */
  readonly opens: boolean;
  readonly isWebSocket: boolean;
}

/** What a token stands for. */
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
 * Knows which connections of a hub were negotiated, and where they are. A service with several nodes has one that lets any node answer any
 * request.
 */
export interface ConnectionHomes {
  /** Negotiates a connection. Undefined when too many wait to be opened already. */
  issue(request: NegotiationRequest): Negotiated | undefined;
  /** Finds out what a token stands for. Every request that shows one asks, before its body is read. */
  claim(token: string, by: Claimant): Claim | Promise<Claim>;
  /** A connection that was opened with this token has ended. */
  ended(token: string): void;
  /** Forgets connections that were not opened in time. */
  sweep(): void;
}
