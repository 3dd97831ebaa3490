import type { InvokeOptions, SendOptions } from '../calls/client-results.js';
import type { HubConnection } from '../connection/hub-connection.js';
import type { ClientArguments, ClientMethodDescriptor, ClientParameters } from '../calls/method-descriptor.js';

/** One client of a hub. */
export interface ClientProxy {
  /** Calls a method and expects no answer. Does nothing when the connection has ended. */
  send<P extends ClientParameters>(method: ClientMethodDescriptor<P>, args: ClientArguments<P>, options?: SendOptions): void;
  /**
   * Calls a method and waits for the answer. Null when the client answered null.
   * @throws Error whose text contains `does not exist` when the connection has ended; other errors when the client disconnects before it
   * answers, answers with an error, or takes longer than `timeoutMs`
   */
  invoke<P extends ClientParameters, R>(
    method: ClientMethodDescriptor<P, R>,
    args: ClientArguments<P>,
    options?: InvokeOptions,
  ): Promise<R | null>;
}

/** Several clients of a hub, on any node. A message is encoded once per protocol, and each client gets it once. */
export interface ClientsProxy {
  send<P extends ClientParameters>(method: ClientMethodDescriptor<P>, args: ClientArguments<P>): void;
  /** Like `send`. A client that reads too slowly gets only the newest message of each key. */
  sendLatest<P extends ClientParameters>(key: string, method: ClientMethodDescriptor<P>, args: ClientArguments<P>): void;
}

/** Reaches the clients of a hub from anywhere in the program. */
export interface HubContext<User = unknown> {
  /** The client of one connection. */
  client(connectionId: string): ClientProxy;
  /** The clients of several connections. */
  clients(connectionIds: readonly string[]): ClientsProxy;
  /** The members of a group, without the connections whose ids are in `except`. */
  group(name: string, except?: readonly string[]): ClientsProxy;
  /** The members of any of these groups. */
  groups(names: readonly string[], except?: readonly string[]): ClientsProxy;
  /** All connections of a user, as the authenticator's `userId` identifies them. */
  user(userId: string): ClientsProxy;
  /** All connections of these users. */
  users(userIds: readonly string[]): ClientsProxy;
  /** Every client of the hub. */
  all(): ClientsProxy;
  /** Every client of the hub without the connections with these ids. */
  allExcept(connectionIds: readonly string[]): ClientsProxy;
  /** A connection of this node. */
  connection(connectionId: string): HubConnection<User> | undefined;
  /**
   * Adds a connection to a group: one of this node at once, one of another node when the promise resolves. Does nothing when the
   * connection has ended, which ends all its memberships. Group names never reach a client.
   */
  addToGroup(connectionId: string, group: string): Promise<void>;
  /** Removes a connection from a group, in the same time. */
  removeFromGroup(connectionId: string, group: string): Promise<void>;
}
