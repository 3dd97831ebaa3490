import { ClientCall } from './client-call.js';
import type { InvokeOptions } from './client-results.js';
import type { HubConnection } from './hub-connection.js';
import type { Hub } from './hub.js';
import type { ClientArguments, ClientMethodDescriptor, ClientParameters } from './method-descriptor.js';

/** One client of a hub, on whichever node it is connected. */
export interface ClientProxy {
  /** Dropped silently when the connection is gone. */
  send<P extends ClientParameters>(method: ClientMethodDescriptor<P>, args: ClientArguments<P>): void;
  /**
   * Waits for the client's answer; null when the client answered null.
   * @throws Error whose text contains `does not exist` when the connection is gone; also when the client disconnects
   *   meanwhile, answers with an error, or takes longer than `timeoutMs`
   */
  invoke<P extends ClientParameters, R>(
    method: ClientMethodDescriptor<P, R>,
    args: ClientArguments<P>,
    options?: InvokeOptions,
  ): Promise<R | null>;
}

/** Several clients of a hub. A message is written once per protocol, however many receive it. */
export interface GroupProxy {
  send<P extends ClientParameters>(method: ClientMethodDescriptor<P>, args: ClientArguments<P>): void;
  /** Like `send`, but a client that reads too slowly gets only the newest message of each key. */
  sendLatest<P extends ClientParameters>(key: string, method: ClientMethodDescriptor<P>, args: ClientArguments<P>): void;
}

/** Reaches the clients of a hub from anywhere in the program. */
export class HubContext {
  /** @param find the hub, once it exists: contexts are injected before hubs are made */
  constructor(private readonly find: () => Hub) {}

  client(connectionId: string): ClientProxy {
    const { delivery } = this.find();
    return {
      send: (method, args) => delivery.sendToConnection(connectionId, new ClientCall(method, args)),
      invoke: (method, args, options = {}) => delivery.invoke(connectionId, new ClientCall(method, args), options),
    };
  }

  /** The members of a group, except those connections whose ids are given. */
  group(name: string, except?: readonly string[]): GroupProxy {
    const { delivery } = this.find();
    return {
      send: (method, args) => delivery.sendToGroup(name, new ClientCall(method, args), { except }),
      sendLatest: (key, method, args) => delivery.sendToGroup(name, new ClientCall(method, args), { except, latestKey: key }),
    };
  }

  /** All connections of a user, by the `userId` that the authenticator gave. */
  user(userId: string): Pick<GroupProxy, 'send'> {
    const { delivery } = this.find();
    return { send: (method, args) => delivery.sendToUser(userId, new ClientCall(method, args)) };
  }

  /** Every client of the hub. */
  all(): Pick<GroupProxy, 'send'> {
    const { delivery } = this.find();
    return { send: (method, args) => delivery.sendToAll(new ClientCall(method, args)) };
  }

  /** Group names are the program's own and never reach a client. Membership ends with the connection. */
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
