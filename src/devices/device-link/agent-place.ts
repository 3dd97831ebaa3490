import type { ClientMethodDescriptor } from '#libs/signalr';

/** A connection of an agent, at this node or another one. */
export interface AgentPlace {
  /** Null: this node. */
  readonly nodeId: string | null;
  readonly connectionId: string;
  /** The tenant of its device, if it is at another node: tenants share the calls between nodes. */
  readonly tenantId?: string;
}

/** A way to call an agent: its connection, or the node that has it. */
export interface AgentChannel {
  send(method: ClientMethodDescriptor, args: readonly unknown[], options: CallTime): void | Promise<void>;
  invoke(method: ClientMethodDescriptor, args: readonly unknown[], options: ChannelOptions): Promise<unknown>;
}

/** The time since which a call has waited. */
interface CallTime {
  /** By the monotonic clock of this node, in milliseconds. */
  readonly since: number;
}

/** The time of a call, and the end of waiting for its answer. */
export interface ChannelOptions extends CallTime {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** The injection token of {@link OtherNodes}. A service of one node provides nothing under it. */
export const OTHER_NODES = Symbol('OtherNodes');

/** The devices that are connected to other nodes. */
export interface OtherNodes {
  /**
   * Returns the place of a device at another node; undefined when it is at none, as far as the database says.
   * @throws KeyPendingError when its key waits for approval
   */
  find(deviceId: string): Promise<AgentPlace | undefined>;
  /**
   * The way to the agent of a device at that place. A call that was not begun there is made once more, where the device is by then. One that
   * has become too old is not begun.
   */
  channel(deviceId: string, place: AgentPlace): AgentChannel;
  /** Calls the agent at that place, also when the device is not reached through it any more, and waits for no answer. */
  send(place: AgentPlace, method: ClientMethodDescriptor, args: readonly unknown[]): void;
  /** Tells the node of a former place that the device is connected here by now. Does nothing for a place at this node. */
  superseded(deviceId: string, former: AgentPlace): void;
}
