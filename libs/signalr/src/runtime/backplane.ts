import type { Frame, HubProtocol } from '../protocol/hub-protocol.js';

/** Several clients of a hub. One that is meant several times is meant once. */
export type PushTarget =
  'all' | { readonly connections: readonly string[] } | { readonly groups: readonly string[] } | { readonly users: readonly string[] };

export interface PushOptions {
  /** The ids of connections that do not get the message. */
  readonly except?: readonly string[];
  /** With a key, a client that reads too slowly gets only the newest message of that key. */
  readonly latestKey?: string;
}

/** A call of a client method that wants no answer. */
export interface OutgoingCall {
  /** The name of the method, for the log. */
  readonly name: string;
  /** The encoded message. @throws TypeError when a value has no form in the protocol */
  frame(protocol: HubProtocol): Frame;
}

/** Sends messages to clients of a hub: to those of one node or, through a backplane, to those of all nodes. */
export interface Pushes {
  /** Clients that are gone are left out. Never throws. */
  push(target: PushTarget, call: OutgoingCall, options: PushOptions): void;
}

/** Connects the nodes of one service. A connection id begins with the id of its node, by which a backplane may find the node. */
export interface Backplane {
  /**
   * Joins the hub at `path` of this node.
   * @param local reaches the connections of this node, for what other nodes send
   * @returns what reaches the connections of all nodes
   */
  join(path: string, local: Pushes): Pushes;
}

/** The backplane of a service with one node. */
export class InProcessBackplane implements Backplane {
  join(_path: string, local: Pushes): Pushes {
    return local;
  }
}
