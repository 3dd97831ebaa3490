import type { Encoding } from '../../protocol/messages.js';
import type { InvokeOptions } from '../calls/client-results.js';
import type { OutgoingCall } from '../calls/outgoing-call.js';

/** Several clients of a hub. One that is meant several times is meant once. */
export type PushTarget =
  'all' | { readonly connections: readonly string[] } | { readonly groups: readonly string[] } | { readonly users: readonly string[] };

export interface PushOptions {
  /** The ids of connections that do not get the message. */
  readonly except?: readonly string[];
  /** With a key, a client that reads too slowly gets only the newest message of that key. */
  readonly latestKey?: string;
}

/** The answer of a client, as its encoding has it. */
export interface ClientAnswer {
  /** Null when there is no result. */
  readonly result: unknown;
  readonly encoding: Encoding;
}

/** Sends messages to clients of a hub: to those of one node or, through a backplane, to those of all nodes. */
export interface Pushes {
  /** Clients that are gone are left out. Never throws. */
  push(target: PushTarget, call: OutgoingCall, options: PushOptions): void;
}

/** A hub as one node has it or, through a backplane, as all nodes have it together. */
export interface HubNode extends Pushes {
  /**
   * Calls a client and waits for its answer.
   * @throws ConnectionGoneError, DisconnectedError, ClientResultTimeoutError or ClientResultError
   */
  invoke(connectionId: string, call: OutgoingCall, options: InvokeOptions): Promise<ClientAnswer>;
  /** Adds a connection to a group. Does nothing when the connection is gone. */
  addToGroup(connectionId: string, group: string): Promise<void>;
  /** Removes a connection from a group. Does nothing when it is not there. */
  removeFromGroup(connectionId: string, group: string): Promise<void>;
}

/** Connects the nodes of one service. A connection id begins with the id of its node and a dot, by which a backplane finds the node. */
export interface Backplane {
  /**
   * Joins the hub at `path` of this node.
   * @param local reaches the connections of this node, for the requests of other nodes
   * @returns a hub that reaches the connections of all nodes. It invokes and changes groups for connections of other nodes only
   */
  join(path: string, local: HubNode): HubNode;
}

/** The backplane of a service with one node. */
export class InProcessBackplane implements Backplane {
  join(_path: string, local: HubNode): HubNode {
    return local;
  }
}
