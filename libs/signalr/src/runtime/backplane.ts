import type { ClientCall } from './client-call.js';
import type { InvokeOptions } from './client-results.js';

/** Who of a group does not get a message. */
export interface GroupSendOptions {
  readonly except?: readonly string[];
  /** When given, a connection that cannot keep up gets only the newest message of each key. */
  readonly latestKey?: string;
}

/** Reaches the connections of a hub: those of one node, or, behind a backplane, those of all nodes. */
export interface HubDelivery {
  /** Drops the call silently when the connection is gone. */
  sendToConnection(connectionId: string, call: ClientCall): void;
  sendToGroup(group: string, call: ClientCall, options: GroupSendOptions): void;
  sendToUser(userId: string, call: ClientCall): void;
  sendToAll(call: ClientCall): void;
  /** Rejects with an error whose text contains `does not exist` when the connection is gone. */
  invoke<R>(connectionId: string, call: ClientCall<R>, options: InvokeOptions): Promise<R | null>;
  /** Does nothing when the connection is gone. */
  addToGroup(connectionId: string, group: string): void | Promise<void>;
  removeFromGroup(connectionId: string, group: string): void | Promise<void>;
}

/** Connects the nodes of one service. A connection id begins with the id of its node, so that a backplane can route by it. */
export interface Backplane {
  /**
   * Joins the hub at `path` of this node.
   * @param node reaches the connections of this node; the backplane calls it for what other nodes send
   * @returns reaches the connections of all nodes
   */
  join(path: string, node: HubDelivery): HubDelivery;
}

/** The backplane of a single node: its own connections are all there are. */
export class InProcessBackplane implements Backplane {
  join(_path: string, node: HubDelivery): HubDelivery {
    return node;
  }
}
