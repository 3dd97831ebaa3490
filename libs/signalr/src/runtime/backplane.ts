import type { ClientCall } from './client-call.js';
import type { InvokeOptions } from './client-results.js';

/** How a message goes to a group. */
export interface GroupSendOptions {
  /** The ids of connections that do not get the message. */
  readonly except?: readonly string[];
  /** With a key, a client that reads too slowly gets only the newest message of that key. */
  readonly latestKey?: string;
}

/** Reaches the connections of a hub: those of one node or, through a backplane, those of all nodes. */
export interface HubDelivery {
  /** Does nothing when the connection has ended. */
  sendToConnection(connectionId: string, call: ClientCall): void;
  sendToGroup(group: string, call: ClientCall, options: GroupSendOptions): void;
  sendToUser(userId: string, call: ClientCall): void;
  sendToAll(call: ClientCall): void;
  /** Calls a client and waits for its answer. Rejects with an error whose text contains `does not exist` when the connection has ended. */
  invoke<R>(connectionId: string, call: ClientCall<R>, options: InvokeOptions): Promise<R | null>;
  /** Does nothing when the connection has ended. */
  addToGroup(connectionId: string, group: string): void | Promise<void>;
  removeFromGroup(connectionId: string, group: string): void | Promise<void>;
}

/** Connects the nodes of one service. A connection id begins with the id of its node, by which a backplane finds the node. */
export interface Backplane {
  /**
   * Joins the hub at `path` of this node.
   * @param node reaches the connections of this node, for what other nodes send
   * @returns what reaches the connections of all nodes
   */
  join(path: string, node: HubDelivery): HubDelivery;
}

/** The backplane of a service with one node. */
export class InProcessBackplane implements Backplane {
  join(_path: string, node: HubDelivery): HubDelivery {
    return node;
  }
}
