import type { Transport } from '../transports/transport.js';
import type { Backplane, GroupSendOptions, HubDelivery } from './backplane.js';
import type { ClientCall } from './client-call.js';
import type { InvokeOptions } from './client-results.js';
import type { ConnectionClock } from './connection-clock.js';
import { ConnectionGoneError, messageOf } from './errors.js';
import { type ConnectionFacts, HubConnection } from './hub-connection.js';
import { HubDispatcher, type HubMethodHandler } from './hub-dispatcher.js';
import { type HubLimits, type HubOptions, resolveLimits } from './hub-options.js';
import type { HubLogger } from './logger.js';
import type { HubMethodDescriptor } from './method-descriptor.js';

/** Runs after a client's handshake and before its first call. When it throws, the connection ends. */
export interface OnHubConnected {
  onConnected(connection: HubConnection): void | Promise<void>;
}

/** Runs once for each connection that finished its handshake, after `onConnected`. */
export interface OnHubDisconnected {
  onDisconnected(connection: HubConnection, reason: string): void | Promise<void>;
}

/** What a program wants to know about its connections. */
export type HubLifecycle = Partial<OnHubConnected & OnHubDisconnected>;

/** What all hubs of a server share. */
export interface HubEnvironment {
  readonly clock: ConnectionClock;
  readonly logger: HubLogger;
  readonly backplane: Backplane;
}

/** The connections of one hub on this node, their groups, and the methods that they may call. */
export class Hub implements HubDelivery {
  readonly path: string;
  readonly limits: HubLimits;
  readonly detailedErrors: boolean;
  readonly clock: ConnectionClock;
  readonly logger: HubLogger;
  readonly dispatcher: HubDispatcher;
  /** Reaches the connections of all nodes. */
  readonly delivery: HubDelivery;

  /** From the opened transport to its end, whatever the phase. */
  readonly #connections = new Map<string, HubConnection>();
  readonly #groups = new Map<string, Set<HubConnection>>();
  readonly #users = new Map<string, Set<HubConnection>>();
  readonly #lifecycles: HubLifecycle[] = [];
  readonly #farewells = new Set<Promise<void>>();
  #onEmpty: (() => void) | undefined;
  #invocations = 0;

  constructor(options: HubOptions, environment: HubEnvironment) {
    this.path = options.path;
    this.limits = resolveLimits(options.limits);
    this.detailedErrors = options.detailedErrors ?? false;
    this.clock = environment.clock;
    this.logger = environment.logger;
    this.dispatcher = new HubDispatcher(this);
    this.delivery = environment.backplane.join(this.path, this);
  }

  /** Lets clients call a method. @throws Error when there is one of that name */
  method(descriptor: HubMethodDescriptor, handler: HubMethodHandler): void {
    this.dispatcher.add(descriptor, handler);
  }

  /** Lets a program follow connections as they come and go. */
  lifecycle(lifecycle: HubLifecycle): void {
    this.#lifecycles.push(lifecycle);
  }

  /** How many clients are connected to this node. */
  get size(): number {
    return this.#connections.size;
  }

  /** A connection of this node; undefined when it is gone or somewhere else. */
  connection(connectionId: string): HubConnection | undefined {
    const connection = this.#connections.get(connectionId);
    return connection?.isOpen === true ? connection : undefined;
  }

  /** Takes over a transport that was just opened. */
  open(transport: Transport, facts: ConnectionFacts): void {
    const connection = new HubConnection(this, transport, facts);
    this.#connections.set(facts.connectionId, connection);
    transport.start(connection);
  }

  sendToConnection(connectionId: string, call: ClientCall): void {
    this.connection(connectionId)?.deliver(call);
  }

  sendToGroup(group: string, call: ClientCall, { except, latestKey }: GroupSendOptions): void {
    for (const connection of this.#groups.get(group) ?? []) {
      if (except?.includes(connection.connectionId) === true) continue;
      if (latestKey === undefined) connection.deliver(call);
      else connection.deliverLatest(latestKey, call);
    }
  }

  sendToUser(userId: string, call: ClientCall): void {
    for (const connection of this.#users.get(userId) ?? []) connection.deliver(call);
  }

  sendToAll(call: ClientCall): void {
    for (const connection of this.#connections.values()) connection.deliver(call);
  }

  async invoke<R>(connectionId: string, call: ClientCall<R>, options: InvokeOptions): Promise<R | null> {
    const connection = this.connection(connectionId);
    if (connection === undefined) throw new ConnectionGoneError(connectionId);
    return connection.request(call, options);
  }

  addToGroup(connectionId: string, group: string): void {
    const connection = this.connection(connectionId);
    if (connection === undefined) return;
    addTo(this.#groups, group, connection);
    (connection.groups ??= new Set()).add(group);
  }

  removeFromGroup(connectionId: string, group: string): void {
    const connection = this.#connections.get(connectionId);
    if (connection?.groups?.delete(group) !== true) return;
    removeFrom(this.#groups, group, connection);
  }

  /** Ids for the server's own calls; never equal to those that clients choose for their streams. @internal */
  nextInvocationId(): string {
    return `s${++this.#invocations}`;
  }

  /** A handshake is done. Returns nothing when nobody has to be waited for. @internal */
  connected(connection: HubConnection): Promise<void> | undefined {
    if (connection.userId !== undefined) addTo(this.#users, connection.userId, connection);
    const listeners = this.#lifecycles.filter((lifecycle) => lifecycle.onConnected !== undefined);
    return listeners.length === 0 ? undefined : this.#greet(connection, listeners);
  }

  /** A connection that had finished its handshake is over. @internal */
  disconnected(connection: HubConnection, reason: string, greeting: Promise<void> | undefined): void {
    if (connection.userId !== undefined) removeFrom(this.#users, connection.userId, connection);
    connection.groups?.forEach((group) => removeFrom(this.#groups, group, connection));
    connection.groups = undefined;
    const farewell = this.#bidFarewell(connection, reason, greeting).finally(() => this.#farewells.delete(farewell));
    this.#farewells.add(farewell);
  }

  /** The transport of a connection has ended. @internal */
  forget(connection: HubConnection): void {
    this.#connections.delete(connection.connectionId);
    if (this.#connections.size === 0) this.#onEmpty?.();
  }

  /** Checks keep-alive, silence and handshakes of all connections. */
  sweep(): void {
    for (const connection of this.#connections.values()) connection.sweep(this.clock.time);
  }

  /** Reports an error that nobody else hears of. @internal */
  reportError(where: string, error: unknown): void {
    this.logger.error(`${where}: ${messageOf(error)}`, error instanceof Error ? error.stack : undefined);
  }

  /** Ends all connections, allowing them to come back; those that have not ended after `graceMs` are cut off. */
  async close(graceMs: number): Promise<void> {
    const empty = new Promise<void>((resolve) => (this.#onEmpty = resolve));
    for (const connection of this.#connections.values()) connection.close(undefined, 'the server is shutting down', true);
    const cutOff = setTimeout(() => this.#cutOff(), graceMs);
    if (this.#connections.size > 0) await empty;
    clearTimeout(cutOff);
    await Promise.all(this.#farewells);
  }

  #cutOff(): void {
    for (const connection of this.#connections.values()) connection.terminate('the server is shutting down');
  }

  async #greet(connection: HubConnection, listeners: readonly HubLifecycle[]): Promise<void> {
    try {
      for (const listener of listeners) await listener.onConnected?.(connection);
    } catch (error) {
      this.reportError(`onConnected of hub ${this.path}`, error);
      connection.close('The server refused the connection.', 'onConnected failed');
    }
  }

  /** Tells every listener, also when another one fails. */
  async #bidFarewell(connection: HubConnection, reason: string, greeting: Promise<void> | undefined): Promise<void> {
    await greeting;
    for (const lifecycle of this.#lifecycles) {
      try {
        await lifecycle.onDisconnected?.(connection, reason);
      } catch (error) {
        this.reportError(`onDisconnected of hub ${this.path}`, error);
      }
    }
  }
}

function addTo(index: Map<string, Set<HubConnection>>, key: string, connection: HubConnection): void {
  const members = index.get(key);
  if (members === undefined) index.set(key, new Set([connection]));
  else members.add(connection);
}

function removeFrom(index: Map<string, Set<HubConnection>>, key: string, connection: HubConnection): void {
  const members = index.get(key);
  if (members?.delete(connection) === true && members.size === 0) index.delete(key);
}
