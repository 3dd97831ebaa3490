import type { HubConnection } from '../connection/hub-connection.js';
import type { HubMethodHandler } from './invocation.js';
import type { HubMethodDescriptor } from '../calls/method-descriptor.js';

/** Runs after a client's handshake and before its first call. When it throws, the connection ends. */
export interface OnHubConnected<User = unknown> {
  onConnected(connection: HubConnection<User>): void | Promise<void>;
}

/** Runs once for each connection that has finished its handshake, after `onConnected`. */
export interface OnHubDisconnected<User = unknown> {
  onDisconnected(connection: HubConnection<User>, reason: string): void | Promise<void>;
}

/** Listens to the beginnings and ends of connections. */
export type HubLifecycle<User = unknown> = Partial<OnHubConnected<User> & OnHubDisconnected<User>>;

/** One hub on this node. `HubContext` reaches its clients. */
export interface Hub<User = unknown> {
  readonly path: string;
  /** The number of connections of this node, including those that are being opened or closed. */
  readonly size: number;
  /** Lets clients call a method. @throws Error when there is one of that name */
  method<D extends HubMethodDescriptor>(descriptor: D, handler: HubMethodHandler<D, User>): void;
  /** Adds a listener to the beginnings and ends of connections. */
  lifecycle(lifecycle: HubLifecycle<User>): void;
  /** A connection of this node. Undefined when it has ended or belongs to another node. */
  connection(connectionId: string): HubConnection<User> | undefined;
}
