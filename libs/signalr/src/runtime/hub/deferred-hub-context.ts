import type { PushOptions, PushTarget } from './backplane.js';
import { ClientCall } from '../calls/client-call.js';
import type { HubConnection } from '../connection/hub-connection.js';
import type { ClientProxy, ClientsProxy, HubContext } from './hub-context.js';
import type { RunningHub } from './running-hub.js';

/** The context of a hub that is looked up when it is first needed: contexts are injected before hubs are made. */
export class DeferredHubContext<User = unknown> implements HubContext<User> {
  constructor(private readonly find: () => RunningHub<User>) {}

  client(connectionId: string): ClientProxy {
    const hub = this.find();
    return {
      send: (method, args, options = {}) => hub.send(connectionId, new ClientCall(method, args), options),
      invoke: (method, args, options = {}) => hub.ask(connectionId, new ClientCall(method, args), options),
    };
  }

  clients(connectionIds: readonly string[]): ClientsProxy {
    return this.#to({ connections: connectionIds });
  }

  group(name: string, except?: readonly string[]): ClientsProxy {
    return this.groups([name], except);
  }

  groups(names: readonly string[], except?: readonly string[]): ClientsProxy {
    return this.#to({ groups: names }, except);
  }

  user(userId: string): ClientsProxy {
    return this.users([userId]);
  }

  users(userIds: readonly string[]): ClientsProxy {
    return this.#to({ users: userIds });
  }

  all(): ClientsProxy {
    return this.#to('all');
  }

  allExcept(connectionIds: readonly string[]): ClientsProxy {
    return this.#to('all', connectionIds);
  }

  connection(connectionId: string): HubConnection<User> | undefined {
    return this.find().connection(connectionId);
  }

  addToGroup(connectionId: string, group: string): Promise<void> {
    return this.find().nodeOf(connectionId).addToGroup(connectionId, group);
  }

  removeFromGroup(connectionId: string, group: string): Promise<void> {
    return this.find().nodeOf(connectionId).removeFromGroup(connectionId, group);
  }

  #to(target: PushTarget, except?: readonly string[]): ClientsProxy {
    const { nodes } = this.find();
    const push = (call: ClientCall, options: PushOptions): void => nodes.push(target, call, options);
    return {
      send: (method, args) => push(new ClientCall(method, args), { except }),
      sendLatest: (latestKey, method, args) => push(new ClientCall(method, args), { except, latestKey }),
    };
  }
}
