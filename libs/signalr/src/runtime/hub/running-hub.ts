import { randomInt } from 'node:crypto';
import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';
import type { HubProtocol } from '../../protocol/hub-protocol.js';
import { DEFAULT_PROTOCOLS, protocolsByName } from '../../protocol/protocols.js';
import type { CallMessage } from '../../protocol/messages.js';
import { timerMs } from '../../transports/longest-timer.js';
import type { Transport } from '../../transports/transport.js';
import type { Backlog } from '../limits/backlog.js';
import type { Backplane, ClientAnswer, HubNode, PushOptions, PushTarget } from './backplane.js';
import type { ClientCall } from '../calls/client-call.js';
import type { InvokeOptions, SendOptions } from '../calls/client-results.js';
import type { ConnectionClock } from '../limits/connection-clock.js';
import { connectionErrorText } from '../calls/call-errors.js';
import { Connection } from '../connection/connection.js';
import type { ConnectionFacts, ConnectionHost } from '../connection/connection-host.js';
import { ConnectionIndex } from './connection-index.js';
import { type Diagnostics, diagnosticsOf } from '../diagnostics.js';
import { EndReason } from '../end-reasons.js';
import { ConnectionGoneError, type HubError } from '../errors.js';
import type { HubConnection } from '../connection/hub-connection.js';
import { HubDispatcher } from './hub-dispatcher.js';
import { filterConnected, filterDisconnected, type HubFilter } from './hub-filter.js';
import type { Hub, HubLifecycle } from './hub.js';
import { type HubLimits, resolveLimits } from '../limits/hub-limits.js';
import type { HubOptions } from './hub-options.js';
import type { HubMethodHandler } from './invocation.js';
import { type HubLogger, logError } from '../logger.js';
import type { HubMethodDescriptor } from '../calls/method-descriptor.js';
import { UnauthenticatedConnections } from '../limits/unauthenticated-connections.js';
import type { OutgoingCall } from '../calls/outgoing-call.js';
import { HeldRoom } from '../limits/held-room.js';
import { ReplayRoom } from '../limits/replay-room.js';
import type { Scheduler } from '../limits/scheduler.js';
import { SLOW_STREAM_BUFFER } from '../streams/uploads.js';
import type { WireType } from '../wire-type.js';

/** The parts that all hubs of a server share. */
export interface HubEnvironment {
  readonly clock: ConnectionClock;
  readonly logger: HubLogger;
  readonly backplane: Backplane;
  readonly scheduler: Scheduler;
  readonly backlog: Backlog;
  /** The ids of this node's connections begin with it and a dot. */
  readonly nodeId?: string;
  /** The time of day in milliseconds since 1970. Default: `Date.now`. */
  readonly date?: () => number;
  /** Run around those of each hub. */
  readonly filters?: readonly HubFilter[];
}

/** Options for the close of a hub. */
export interface HubClosing {
  /** The time for connections to end before they are cut off, in milliseconds. */
  readonly graceMs: number;
  /** The time over which the connections are ended, in milliseconds, in random order, so that many do not come back all at once. */
  readonly spreadMs?: number;
  /** The connections that are ended in a second at least: few need no time. Default 500. */
  readonly leastPerSecond?: number;
  /** Settles when a connection is not needed any more; undefined for one that is not. Must not reject. */
  readonly untilFree?: (connectionId: string) => Promise<void> | undefined;
}

/** Interval of the ends of connections while a hub closes, in milliseconds. */
const STEP_MS = 20;
const DEFAULT_LEAST_PER_SECOND = 500;

const DONE = Promise.resolve();

/** An answer that another node will decode. */
const asItCame: WireType<ClientAnswer> = {
  name: 'answer',
  encode: (value) => value,
  decode: (result, encoding) => ({ result, encoding }),
};

/** The connections of one hub on this node, their groups, and the methods that they may call. */
export class RunningHub<User = unknown> implements Hub<User>, HubNode, ConnectionHost<Connection<User>> {
  readonly path: string;
  readonly limits: HubLimits;
  readonly clock: ConnectionClock;
  readonly logger: HubLogger;
  readonly scheduler: Scheduler;
  readonly unauthenticated: UnauthenticatedConnections;
  readonly replayRoom: ReplayRoom;
  readonly heldRoom: HeldRoom;
  readonly backlog: Backlog;
  readonly date: () => number;
  readonly diagnostics: Diagnostics | undefined;
  /** Reaches the connections of all nodes. */
  readonly nodes: HubNode;
  /** Tests that need a client to wait at once set it to less. */
  slowStreamBuffer = SLOW_STREAM_BUFFER;
  /** Called when the transport of a connection has ended. The endpoint sets it. @internal */
  onForgotten: (connectionId: string) => void = () => undefined;

  /** All whose transport has not ended, also those that have not finished their handshake or are being closed. */
  readonly #connections = new Map<string, Connection<User>>();
  readonly #groups = new ConnectionIndex();
  readonly #users = new ConnectionIndex();
  readonly #dispatcher: HubDispatcher;
  readonly #detailedErrors: boolean;
  readonly #hubErrorOf: ((error: unknown) => HubError | undefined) | undefined;
  readonly #idsBeginWith: string | undefined;
  readonly #protocols: ReadonlyMap<string, HubProtocol>;
  readonly #lifecycles: HubLifecycle<User>[] = [];
  readonly #filters: readonly HubFilter[];
  readonly #farewells = new Set<Promise<void>>();
  #onEmpty: (() => void) | undefined;
  #invocations = 0;

  constructor(options: HubOptions<User>, environment: HubEnvironment) {
    const { clock, logger, backplane, scheduler, backlog, filters = [], date = Date.now, nodeId } = environment;
    this.path = options.path;
    this.limits = resolveLimits(options.limits);
    this.clock = clock;
    this.logger = logger;
    this.scheduler = scheduler;
    this.backlog = backlog;
    this.date = date;
    this.#protocols = protocolsByName(options.protocols ?? DEFAULT_PROTOCOLS);
    this.unauthenticated = new UnauthenticatedConnections(this.limits);
    this.replayRoom = new ReplayRoom(this.limits);
    this.heldRoom = new HeldRoom(this.limits);
    this.diagnostics = diagnosticsOf(this.path);
    this.#detailedErrors = options.detailedErrors ?? false;
    const { hubErrorOf } = options;
    this.#hubErrorOf = hubErrorOf === undefined ? undefined : (error) => this.#hubErrorFor(error, hubErrorOf);
    this.#filters = [...filters, ...(options.filters ?? [])];
    this.#dispatcher = new HubDispatcher({
      path: this.path,
      logger,
      detailedErrors: this.#detailedErrors,
      diagnostics: this.diagnostics,
      filters: this.#filters,
      hubErrorOf: this.#hubErrorOf,
    });
    this.#idsBeginWith = nodeId === undefined ? undefined : `${nodeId}.`;
    this.nodes = backplane.join(this.path, this);
  }

  /** Lets clients call a method. @throws Error when there is one of that name */
  method<D extends HubMethodDescriptor>(descriptor: D, handler: HubMethodHandler<D, User>): void {
    this.#dispatcher.add(descriptor, handler);
  }

  /** Adds a listener to the beginnings and ends of connections. */
  lifecycle(lifecycle: HubLifecycle<User>): void {
    this.#lifecycles.push(lifecycle);
  }

  /** The number of connections of this node, including those that are being opened or closed. */
  get size(): number {
    return this.#connections.size;
  }

  /** A connection of this node. Undefined when it has ended or belongs to another node. */
  connection(connectionId: string): HubConnection<User> | undefined {
    return this.#openConnection(connectionId)?.view;
  }

  /** Takes over a transport that was just opened. */
  open(transport: Transport, facts: ConnectionFacts<User>): void {
    const connection = new Connection<User>(this, transport, facts);
    this.#connections.set(facts.connectionId, connection);
    transport.start(connection);
  }

  /**
   * Notes that a client of this node has authenticated itself again.
   * @param expiresAt the end of this authentication, in milliseconds since 1970. Undefined: never
   */
  renew(connectionId: string, expiresAt: number | undefined): void {
    this.#connections.get(connectionId)?.renew(expiresAt);
  }

  /** Calls a method of one client. Does nothing when the connection has ended. */
  send(connectionId: string, call: ClientCall, { since }: SendOptions): void {
    const connection = this.#connections.get(connectionId);
    if (connection !== undefined) connection.outbox.deliver(call, since);
    else this.nodes.push({ connections: [connectionId] }, call, {});
  }

  /** Calls a client of any node and waits for its answer. @throws ConnectionGoneError when there is none */
  ask<R>(connectionId: string, call: ClientCall<R>, options: InvokeOptions): Promise<R | null> {
    return this.#openConnection(connectionId)?.ask(call, options) ?? this.#askElsewhere(connectionId, call, options);
  }

  async #askElsewhere<R>(connectionId: string, call: ClientCall<R>, options: InvokeOptions): Promise<R | null> {
    const { result, encoding } = await this.nodeOf(connectionId).invoke(connectionId, call, options);
    const { returns } = call.method;
    return result === null || returns === undefined ? null : returns.decode(result, encoding);
  }

  /** Calls a client of this node, for another node. */
  async invoke(connectionId: string, call: OutgoingCall, options: InvokeOptions): Promise<ClientAnswer> {
    const connection = this.#openConnection(connectionId);
    if (connection === undefined) throw new ConnectionGoneError(connectionId);
    const { name } = call;
    const write = call.write.bind(call);
    const answer = await connection.ask({ name, method: { name, returns: asItCame }, write }, options);
    return answer ?? { result: null, encoding: connection.encoding };
  }

  /** The node that reaches a connection: this hub itself if the connection is, or would be, one of this node. */
  nodeOf(connectionId: string): HubNode {
    const isHere = this.#connections.has(connectionId) || (this.#idsBeginWith !== undefined && connectionId.startsWith(this.#idsBeginWith));
    return isHere ? this : this.nodes;
  }

  /** Sends to connections of this node. A message that one protocol cannot take reaches the clients of the others, and is logged once. */
  push(target: PushTarget, call: OutgoingCall, { except, latestKey }: PushOptions): void {
    const misfits = new Set<unknown>();
    for (const { connectionId, outbox } of this.#membersOf(target)) {
      if (except?.includes(connectionId) === true) continue;
      try {
        if (latestKey === undefined) outbox.deliver(call);
        else outbox.deliverLatest(latestKey, call);
      } catch (error) {
        misfits.add(error);
      }
    }
    for (const error of misfits) logError(this.logger, `'${call.name}' of hub ${this.path} reaches not all clients`, error);
  }

  /** Adds a connection of this node to a group, at once. */
  addToGroup(connectionId: string, group: string): Promise<void> {
    const connection = this.#openConnection(connectionId);
    if (connection === undefined) return DONE;
    this.#groups.add(group, connection);
    (connection.groups ??= new Set()).add(group);
    return DONE;
  }

  /** Removes a connection of this node from a group, at once. */
  removeFromGroup(connectionId: string, group: string): Promise<void> {
    const connection = this.#connections.get(connectionId);
    if (connection?.groups?.delete(group) === true) this.#groups.remove(group, connection);
    return DONE;
  }

  /** Checks keep-alive, silence and handshakes of all connections. */
  sweep(): void {
    for (const connection of this.#connections.values()) connection.sweep(this.clock.time);
  }

  /** Ends all connections and allows them to come back, those that are needed last, then waits for every `onDisconnected`. */
  async close(closing: HubClosing): Promise<void> {
    const graceMs = timerMs(closing.graceMs);
    const empty = new Promise<void>((resolve) => (this.#onEmpty = resolve));
    const needed = await this.#endAll(closing);
    const cutOff = setTimeout(() => this.#cutOff(), graceMs);
    await Promise.all(needed);
    const lastCutOff = setTimeout(() => this.#cutOff(), graceMs);
    if (this.#connections.size > 0) await empty;
    clearTimeout(cutOff);
    clearTimeout(lastCutOff);
    await Promise.all(this.#farewells);
    this.diagnostics?.close();
  }

  /** Ends the connections that are not needed. Each promise settles when one of the others was ended. */
  async #endAll({ spreadMs = 0, leastPerSecond = DEFAULT_LEAST_PER_SECOND, untilFree }: HubClosing): Promise<Promise<void>[]> {
    const needed: Promise<void>[] = [];
    const end = (connection: Connection<User>): void => connection.end(EndReason.Shutdown, { allowReconnect: true });
    const connections = [...this.#connections.values()];
    shuffle(connections);
    const perSecond = Math.max(leastPerSecond, (connections.length * 1_000) / Math.max(spreadMs, STEP_MS));
    const begun = performance.now();
    for (let at = 0, upTo = 0; at < connections.length; at = upTo) {
      if (at > 0) await delay(STEP_MS);
      // By the clock, so that timers that come late do not make it longer.
      upTo = Math.max(at + 1, Math.floor(((performance.now() - begun + STEP_MS) * perSecond) / 1_000));
      for (const connection of connections.slice(at, upTo)) {
        const free = untilFree?.(connection.connectionId);
        if (free === undefined) end(connection);
        // In a later turn of the event loop, in which the answers to its calls have been sent.
        else needed.push(free.then(() => nextTurn()).then(() => end(connection)));
      }
    }
    return needed;
  }

  /** @internal */
  findProtocol(name: string): HubProtocol | undefined {
    return this.#protocols.get(name.toLowerCase());
  }

  /** @internal */
  nextInvocationId(): string {
    return `s${++this.#invocations}`;
  }

  /** @internal */
  dispatch(connection: Connection<User>, message: CallMessage, arrivedAt: number): void {
    this.#dispatcher.dispatch(connection, message, arrivedAt);
  }

  /** @internal */
  connected(connection: Connection<User>): Promise<void> | undefined {
    this.diagnostics?.connected(connection);
    if (connection.facts.userId !== undefined) this.#users.add(connection.facts.userId, connection);
    const listeners = this.#lifecycles.filter((lifecycle) => lifecycle.onConnected !== undefined);
    const isFiltered = this.#filters.some((filter) => filter.onConnected !== undefined);
    return listeners.length === 0 && !isFiltered ? undefined : this.#greet(connection, listeners);
  }

  /** @internal */
  disconnected(connection: Connection<User>, reason: string): void {
    this.diagnostics?.disconnected(connection, reason);
    if (connection.facts.userId !== undefined) this.#users.remove(connection.facts.userId, connection);
    connection.groups?.forEach((group) => this.#groups.remove(group, connection));
    connection.groups = undefined;
    const farewell = this.#sayFarewell(connection, reason).finally(() => this.#farewells.delete(farewell));
    this.#farewells.add(farewell);
  }

  /** @internal */
  forget(connection: Connection<User>): void {
    this.#connections.delete(connection.connectionId);
    this.onForgotten(connection.connectionId);
    if (this.#connections.size === 0) this.#onEmpty?.();
  }

  /** Cuts off the connections that were ended and are still there. */
  #cutOff(): void {
    for (const connection of this.#connections.values()) if (connection.isClosed) connection.terminate(EndReason.Shutdown);
  }

  async #greet(connection: Connection<User>, listeners: readonly HubLifecycle<User>[]): Promise<void> {
    try {
      await filterConnected(this.#filters, connection.view, async () => {
        for (const listener of listeners) await listener.onConnected?.(connection.view);
      });
    } catch (error) {
      logError(this.logger, `onConnected of hub ${this.path}`, error);
      const told = this.#hubErrorOf?.(error) ?? error;
      connection.end('onConnected failed', { error: connectionErrorText(told, this.#detailedErrors) });
    }
  }

  /** The error that replaces another one; undefined for none, and when the program's function throws. */
  #hubErrorFor(error: unknown, hubErrorOf: (error: unknown) => HubError | undefined): HubError | undefined {
    try {
      return hubErrorOf(error);
    } catch (failure) {
      logError(this.logger, `hubErrorOf of hub ${this.path}`, failure);
      return undefined;
    }
  }

  #openConnection(connectionId: string): Connection<User> | undefined {
    const connection = this.#connections.get(connectionId);
    return connection?.isOpen === true ? connection : undefined;
  }

  #membersOf(target: PushTarget): Iterable<Connection> {
    if (target === 'all') return this.#connections.values();
    if ('groups' in target) return this.#groups.ofAny(target.groups);
    if ('users' in target) return this.#users.ofAny(target.users);
    return new Set(target.connections.flatMap((connectionId) => this.#connections.get(connectionId) ?? []));
  }

  async #sayFarewell(connection: Connection<User>, reason: string): Promise<void> {
    // A connection that ends within its `onConnected` has the promise of it a moment later.
    await DONE;
    await connection.connected;
    try {
      await filterDisconnected(this.#filters, connection.view, reason, () => this.#tellListeners(connection, reason));
    } catch (error) {
      logError(this.logger, `onDisconnected of hub ${this.path}`, error);
    }
  }

  /** Tells every listener, even when another one fails. */
  async #tellListeners(connection: Connection<User>, reason: string): Promise<void> {
    for (const lifecycle of this.#lifecycles) {
      try {
        await lifecycle.onDisconnected?.(connection.view, reason);
      } catch (error) {
        logError(this.logger, `onDisconnected of hub ${this.path}`, error);
      }
    }
  }
}

/** Puts the items in a random order (Fisher and Yates). */
function shuffle<T>(items: T[]): void {
  for (let last = items.length - 1; last > 0; last -= 1) {
    const other = randomInt(last + 1);
    [items[last], items[other]] = [items[other], items[last]];
  }
}
