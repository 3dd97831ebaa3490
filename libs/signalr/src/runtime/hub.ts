import type { CallMessage } from '../protocol/messages.js';
import type { Transport } from '../transports/transport.js';
import type { Backlog } from './backlog.js';
import type { Backplane, GroupSendOptions, HubDelivery } from './backplane.js';
import type { ClientCall } from './client-call.js';
import type { InvokeOptions } from './client-results.js';
import type { ConnectionClock } from './connection-clock.js';
import { connectionErrorText } from './call-errors.js';
import { ConnectionIndex } from './connection-index.js';
import { ConnectionGoneError } from './errors.js';
import { type ConnectionFacts, type ConnectionHost, HubConnection } from './hub-connection.js';
import { HubDispatcher, type HubMethodHandler } from './hub-dispatcher.js';
import { type HubLimits, type HubOptions, resolveLimits } from './hub-options.js';
import { type HubLogger, logError } from './logger.js';
import type { HubMethodDescriptor } from './method-descriptor.js';
import { Newcomers } from './newcomers.js';
import type { Rota } from './rota.js';

/** Runs after a client's handshake and before its first call. When it throws, the connection ends. */
export interface OnHubConnected {
  onConnected(connection: HubConnection): void | Promise<void>;
}

/** Runs once for each connection that finished its handshake, after `onConnected`. */
export interface OnHubDisconnected {
  onDisconnected(connection: HubConnection, reason: string): void | Promise<void>;
}

/** A listener to the coming and going of connections. */
export type HubLifecycle = Partial<OnHubConnected & OnHubDisconnected>;

/** What all hubs of a server share. */
export interface HubEnvironment {
  readonly clock: ConnectionClock;
  readonly logger: HubLogger;
  readonly backplane: Backplane;
  readonly rota: Rota;
  readonly backlog: Backlog;
}

const SHUTDOWN = 'the server is shutting down';

/** The connections of one hub on this node, their groups, and the methods that they may call. */
export class Hub implements HubDelivery, ConnectionHost {
  readonly path: string;
  readonly limits: HubLimits;
  readonly clock: ConnectionClock;
  readonly logger: HubLogger;
  readonly rota: Rota;
  readonly newcomers: Newcomers;
  readonly backlog: Backlog;
  /** Reaches the connections of all nodes. */
  readonly delivery: HubDelivery;
  /** Called when the transport of a connection has ended. The endpoint sets it. @internal */
  onForgotten: (connectionId: string) => void = () => undefined;

  /** All whose transport has not ended, also those that have not finished their handshake or are being closed. */
  readonly #connections = new Map<string, HubConnection>();
  readonly #groups = new ConnectionIndex();
  readonly #users = new ConnectionIndex();
  readonly #dispatcher: HubDispatcher;
  readonly #detailedErrors: boolean;
  readonly #lifecycles: HubLifecycle[] = [];
  readonly #farewells = new Set<Promise<void>>();
  #onEmpty: (() => void) | undefined;
  #invocations = 0;

  constructor(options: HubOptions, { clock, logger, backplane, rota, backlog }: HubEnvironment) {
    this.path = options.path;
    this.limits = resolveLimits(options.limits);
    this.clock = clock;
    this.logger = logger;
    this.rota = rota;
    this.backlog = backlog;
    this.newcomers = new Newcomers(this.limits);
    this.#detailedErrors = options.detailedErrors ?? false;
    this.#dispatcher = new HubDispatcher({ path: this.path, logger, detailedErrors: this.#detailedErrors });
    this.delivery = backplane.join(this.path, this);
  }

  /** Lets clients call a method. @throws Error when there is one of that name */
  method(descriptor: HubMethodDescriptor, handler: HubMethodHandler): void {
    this.#dispatcher.add(descriptor, handler);
  }

  /** Adds a listener to the coming and going of connections. */
  lifecycle(lifecycle: HubLifecycle): void {
    this.#lifecycles.push(lifecycle);
  }

  /** How many connections this node has, those included that are being opened or closed. */
  get size(): number {
    return this.#connections.size;
  }

  /** A connection of this node. Undefined when it has ended or belongs to another node. */
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
    this.#connections.get(connectionId)?.outbox.deliver(call);
  }

  sendToGroup(group: string, call: ClientCall, { except, latestKey }: GroupSendOptions): void {
    const misfits = new Set<unknown>();
    for (const { connectionId, outbox } of this.#groups.of(group)) {
      if (except?.includes(connectionId) === true) continue;
      collect(misfits, () => (latestKey === undefined ? outbox.deliver(call) : outbox.deliverLatest(latestKey, call)));
    }
    this.#logMisfits(call, misfits);
  }

  sendToUser(userId: string, call: ClientCall): void {
    const misfits = new Set<unknown>();
    for (const { outbox } of this.#users.of(userId)) collect(misfits, () => outbox.deliver(call));
    this.#logMisfits(call, misfits);
  }

  sendToAll(call: ClientCall): void {
    const misfits = new Set<unknown>();
    for (const { outbox } of this.#connections.values()) collect(misfits, () => outbox.deliver(call));
    this.#logMisfits(call, misfits);
  }

  async invoke<R>(connectionId: string, call: ClientCall<R>, options: InvokeOptions): Promise<R | null> {
    const connection = this.connection(connectionId);
    if (connection === undefined) throw new ConnectionGoneError(connectionId);
    return connection.request(call, options);
  }

  addToGroup(connectionId: string, group: string): void {
    const connection = this.connection(connectionId);
    if (connection === undefined) return;
    this.#groups.add(group, connection);
    (connection.groups ??= new Set()).add(group);
  }

  removeFromGroup(connectionId: string, group: string): void {
    const connection = this.#connections.get(connectionId);
    if (connection?.groups?.delete(group) === true) this.#groups.remove(group, connection);
  }

  /** Checks keep-alive, silence and handshakes of all connections. */
  sweep(): void {
    for (const connection of this.#connections.values()) connection.sweep(this.clock.time);
  }

  /**
   * Ends all connections and allows them to come back, then waits for every `onDisconnected`. Connections that have not ended
   * after `graceMs` milliseconds are cut off.
   */
  async close(graceMs: number): Promise<void> {
    const empty = new Promise<void>((resolve) => (this.#onEmpty = resolve));
    for (const connection of this.#connections.values()) connection.close(SHUTDOWN, { allowReconnect: true });
    const cutOff = setTimeout(() => this.#cutOff(), graceMs);
    if (this.#connections.size > 0) await empty;
    clearTimeout(cutOff);
    await Promise.all(this.#farewells);
  }

  /** @internal */
  nextInvocationId(): string {
    return `s${++this.#invocations}`;
  }

  /** @internal */
  dispatch(connection: HubConnection, message: CallMessage): void {
    void this.#dispatcher.dispatch(connection, message);
  }

  /** @internal */
  connected(connection: HubConnection): Promise<void> | undefined {
    if (connection.userId !== undefined) this.#users.add(connection.userId, connection);
    const listeners = this.#lifecycles.filter((lifecycle) => lifecycle.onConnected !== undefined);
    return listeners.length === 0 ? undefined : this.#greet(connection, listeners);
  }

  /** @internal */
  disconnected(connection: HubConnection, reason: string, connected: Promise<void> | undefined): void {
    if (connection.userId !== undefined) this.#users.remove(connection.userId, connection);
    connection.groups?.forEach((group) => this.#groups.remove(group, connection));
    connection.groups = undefined;
    const farewell = this.#sayFarewell(connection, reason, connected).finally(() => this.#farewells.delete(farewell));
    this.#farewells.add(farewell);
  }

  /** @internal */
  forget(connection: HubConnection): void {
    this.#connections.delete(connection.connectionId);
    this.onForgotten(connection.connectionId);
    if (this.#connections.size === 0) this.#onEmpty?.();
  }

  #cutOff(): void {
    for (const connection of this.#connections.values()) connection.terminate(SHUTDOWN);
  }

  async #greet(connection: HubConnection, listeners: readonly HubLifecycle[]): Promise<void> {
    try {
      for (const listener of listeners) await listener.onConnected?.(connection);
    } catch (error) {
      logError(this.logger, `onConnected of hub ${this.path}`, error);
      connection.close('onConnected failed', { error: connectionErrorText(error, this.#detailedErrors) });
    }
  }

  /** What one encoding cannot express reaches the clients of the others. It is logged once, however many clients miss it. */
  #logMisfits(call: ClientCall, misfits: ReadonlySet<unknown>): void {
    for (const error of misfits) logError(this.logger, `'${call.method.name}' of hub ${this.path} reaches not all clients`, error);
  }

  /** Tells every listener, even when another one fails. */
  async #sayFarewell(connection: HubConnection, reason: string, connected: Promise<void> | undefined): Promise<void> {
    await connected;
    for (const lifecycle of this.#lifecycles) {
      try {
        await lifecycle.onDisconnected?.(connection, reason);
      } catch (error) {
        logError(this.logger, `onDisconnected of hub ${this.path}`, error);
      }
    }
  }
}

/** Sends to one of many clients, and keeps what goes wrong with the others in mind. */
function collect(misfits: Set<unknown>, send: () => void): void {
  try {
    send();
  } catch (error) {
    misfits.add(error);
  }
}
