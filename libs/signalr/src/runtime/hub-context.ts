import { ClientCall } from './client-call.js';
import type { InvokeOptions } from './client-results.js';
import type { HubConnection } from './hub-connection.js';
import type { Hub } from './hub.js';
import type { ClientArguments, ClientMethodDescriptor, ClientParameters } from './method-descriptor.js';

/** One client of a hub, on any node. */
export interface ClientProxy {
  /** Calls a method and expects no answer. Does nothing when the connection has ended. */
  send<P extends ClientParameters>(method: ClientMethodDescriptor<P>, args: ClientArguments<P>): void;
  /**
   * Calls a method and waits for the answer. Null when the client answered null.
   * @throws Error whose text contains `does not exist` when the connection has ended; other errors when the client
   *   disconnects meanwhile, answers with an error, or takes longer than `timeoutMs`
   */
  invoke<P extends ClientParameters, R>(
    method: ClientMethodDescriptor<P, R>,
    args: ClientArguments<P>,
    options?: InvokeOptions,
  ): Promise<R | null>;
}

/** Several clients of a hub. A message is encoded once per encoding, for any number of clients. */
export interface GroupProxy {
  send<P extends ClientParameters>(method: ClientMethodDescriptor<P>, args: ClientArguments<P>): void;
  /** Like `send`. A client that reads too slowly gets only the newest message of each key. */
  sendLatest<P extends ClientParameters>(key: string, method: ClientMethodDescriptor<P>, args: ClientArguments<P>): void;
}

/** Reaches the clients of a hub from anywhere in the program. */
export class HubContext {
  /** @param find gives the hub once it exists: contexts are injected before hubs are made */
  constructor(private readonly find: () => Hub) {}

  /** The client of one connection. */
  client(connectionId: string): ClientProxy {
    const { delivery } = this.find();
    return {
      send: (method, args) => delivery.sendToConnection(connectionId, new ClientCall(method, args)),
      invoke: (method, args, options = {}) => delivery.invoke(connectionId, new ClientCall(method, args), options),
    };
  }

  /** The members of a group, without the connections whose ids are in `except`. */
  group(name: string, except?: readonly string[]): GroupProxy {
    const { delivery } = this.find();
    return {
      send: (method, args) => delivery.sendToGroup(name, new ClientCall(method, args), { except }),
      sendLatest: (key, method, args) => delivery.sendToGroup(name, new ClientCall(method, args), { except, latestKey: key }),
    };
  }

  /** All connections of a user, as the authenticator's `userId` identifies them. */
  user(userId: string): Pick<GroupProxy, 'send'> {
    const { delivery } = this.find();
    return { send: (method, args) => delivery.sendToUser(userId, new ClientCall(method, args)) };
  }

  /** Every client of the hub. */
  all(): Pick<GroupProxy, 'send'> {
    const { delivery } = this.find();
    return { send: (method, args) => delivery.sendToAll(new ClientCall(method, args)) };
  }

  /** Does nothing when the connection has ended, which ends all its memberships. Group names never reach a client. */
  async addToGroup(connectionId: string, group: string): Promise<void> {
    await this.find().delivery.addToGroup(connectionId, group);
  }

  async removeFromGroup(connectionId: string, group: string): Promise<void> {
    await this.find().delivery.removeFromGroup(connectionId, group);
  }

  /** A connection of this node. */
  connection(connectionId: string): HubConnection | undefined {
    return this.find().connection(connectionId);
  }
}
