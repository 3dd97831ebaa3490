import { randomBytes } from 'node:crypto';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { HubEndpoint } from './hub-endpoint.js';
import { Backlog } from './runtime/limits/backlog.js';
import { type Backplane, InProcessBackplane } from './runtime/hub/backplane.js';
import { ConnectionClock } from './runtime/limits/connection-clock.js';
import { messageOf } from './runtime/errors.js';
import { DeferredHubContext } from './runtime/hub/deferred-hub-context.js';
import type { HubContext } from './runtime/hub/hub-context.js';
import type { HubFilter } from './runtime/hub/hub-filter.js';
import type { Hub } from './runtime/hub/hub.js';
import type { HubLimits } from './runtime/limits/hub-limits.js';
import type { HubOptions } from './runtime/hub/hub-options.js';
import { type HubClosing, RunningHub } from './runtime/hub/running-hub.js';
import { type HubLogger, silentLogger } from './runtime/logger.js';
import { Scheduler } from './runtime/limits/scheduler.js';
import type { ConnectionHomes } from './transports/connection-homes.js';
import { ConnectionTable } from './transports/connection-table.js';
import { plainAnswer, respond } from './transports/http-answer.js';
import { timerMs } from './transports/longest-timer.js';
import { routeKey, splitTarget, UpgradeRouter } from './transports/upgrade-router.js';

/** A hub, for the homes of its connections. */
export interface HomesOptions {
  readonly path: string;
  readonly nodeId: string;
  readonly limits: HubLimits;
  /** A clock in milliseconds that never goes back. */
  readonly now: () => number;
}

export interface SignalRServerOptions {
  /** Identifies this process in its connection ids. Without dots. Default: random. */
  readonly nodeId?: string;
  readonly backplane?: Backplane;
  /** Makes the homes of a hub's connections. Default: a {@link ConnectionTable}, which knows those of this node. */
  readonly homes?: (hub: HomesOptions) => ConnectionHomes;
  readonly logger?: HubLogger;
  /** A clock in milliseconds that never goes back. Default: `performance.now`. */
  readonly now?: () => number;
  /** The time of day in milliseconds since 1970, by which authentications expire. Default: `Date.now`. */
  readonly date?: () => number;
  /** Answers upgrades. Set it to share the HTTP server with other WebSocket endpoints. */
  readonly upgrades?: UpgradeRouter;
  /** Interval of the checks of keep-alive, silence and handshakes, in milliseconds. Default 1,000. */
  readonly sweepIntervalMs?: number;
  /**
   * The most bytes of unread messages of all clients together. Beyond, the connections end whose messages are oldest, those first that
   * the program has not vouched for. Default 64 MiB.
   */
  readonly maximumUnreadBytes?: number;
  /** The time for clients to leave when the server closes, in milliseconds. Default 5,000. */
  readonly closeGraceMs?: number;
  /** The time over which the connections of each hub are ended when the server closes, in milliseconds. Default 2,000; few take less. */
  readonly closeSpreadMs?: number;
  /** The connections of each hub that are ended in a second at least when the server closes. Default 500. */
  readonly closeLeastPerSecond?: number;
  /** Run around the filters of each hub. */
  readonly filters?: readonly HubFilter[];
  /**
   * A promise for a connection that is still needed when the server closes: it is ended once the promise has settled. It must not reject.
   * Undefined for all others. Default: none is needed.
   */
  readonly untilFree?: (connectionId: string) => Promise<void> | undefined;
}

const DEFAULT_SWEEP_INTERVAL_MS = 1_000;
/** Sixty-four messages of 1 MiB that arrive at the same time. */
const DEFAULT_MAXIMUM_UNREAD_BYTES = 67_108_864;
const DEFAULT_CLOSE_GRACE_MS = 5_000;
const DEFAULT_CLOSE_SPREAD_MS = 2_000;
const NODE_ID_BYTES = 6;
const NEGOTIATE = '/negotiate';

/** The number of intervals after which a late sweep shows that the process was suspended: the time beyond is not counted. */
const MAXIMUM_SWEEP_DELAY = 2;

/** The hubs of one process. */
export class SignalRServer {
  readonly upgrades: UpgradeRouter;
  readonly nodeId: string;
  readonly #hubs = new Map<string, { readonly hub: RunningHub; readonly endpoint: HubEndpoint }>();
  readonly #clock: ConnectionClock;
  readonly #backplane: Backplane;
  readonly #homesOf: (hub: HomesOptions) => ConnectionHomes;
  readonly #scheduler = new Scheduler();
  readonly #backlog: Backlog;
  readonly #logger: HubLogger;
  readonly #filters: readonly HubFilter[];
  readonly #date: (() => number) | undefined;
  readonly #now: () => number;
  readonly #closing: HubClosing;
  readonly #timer: NodeJS.Timeout;
  #closed: Promise<void> | undefined;

  constructor(options: SignalRServerOptions = {}) {
    const sweepIntervalMs = options.sweepIntervalMs ?? DEFAULT_SWEEP_INTERVAL_MS;
    this.nodeId = options.nodeId ?? randomBytes(NODE_ID_BYTES).toString('base64url');
    this.#backplane = options.backplane ?? new InProcessBackplane();
    this.#homesOf = options.homes ?? (({ nodeId, limits, now }): ConnectionHomes => new ConnectionTable(nodeId, limits, now));
    this.#logger = options.logger ?? silentLogger;
    this.#filters = options.filters ?? [];
    this.#date = options.date;
    this.#now = options.now ?? ((): number => performance.now());
    this.#closing = {
      graceMs: options.closeGraceMs ?? DEFAULT_CLOSE_GRACE_MS,
      spreadMs: options.closeSpreadMs ?? DEFAULT_CLOSE_SPREAD_MS,
      leastPerSecond: options.closeLeastPerSecond,
      untilFree: options.untilFree,
    };
    this.#clock = new ConnectionClock(sweepIntervalMs * MAXIMUM_SWEEP_DELAY);
    this.#clock.advance(this.#now());
    this.#backlog = new Backlog(options.maximumUnreadBytes ?? DEFAULT_MAXIMUM_UNREAD_BYTES, this.#clock);
    this.upgrades = options.upgrades ?? new UpgradeRouter({ onError: (error) => this.#logger.error(`Upgrade: ${messageOf(error)}`) });
    this.#timer = setInterval(() => this.sweep(), timerMs(sweepIntervalMs));
    this.#timer.unref();
  }

  /** The number of connections of all hubs, including those that are being opened or closed. */
  get size(): number {
    let size = 0;
    for (const { hub } of this.#hubs.values()) size += hub.size;
    return size;
  }

  /** Opens a hub at its path. @throws Error when the path has one already */
  addHub(options: HubOptions): Hub {
    const key = routeKey(options.path);
    if (this.#hubs.has(key)) throw new Error(`There is a hub at '${options.path}' already.`);
    const hub = new RunningHub(options, {
      clock: this.#clock,
      logger: this.#logger,
      backplane: this.#backplane,
      scheduler: this.#scheduler,
      backlog: this.#backlog,
      nodeId: this.nodeId,
      filters: this.#filters,
      date: this.#date,
    });
    const homes = this.#homesOf({ path: options.path, nodeId: this.nodeId, limits: hub.limits, now: this.#now });
    const endpoint = new HubEndpoint(hub, options, this.nodeId, homes);
    this.upgrades.route(options.path, (upgrade) => endpoint.upgrade(upgrade));
    this.#hubs.set(key, { hub, endpoint });
    return hub;
  }

  /** True if there is a hub at `path`. @internal */
  has(path: string): boolean {
    return this.#hubs.has(routeKey(path));
  }

  /** The hub at `path`. @throws Error when there is none */
  hub(path: string): Hub {
    return this.runningHub(path);
  }

  /** @internal */
  runningHub(path: string): RunningHub {
    const entry = this.#hubs.get(routeKey(path));
    if (entry === undefined) throw new Error(`There is no hub at '${path}'.`);
    return entry.hub;
  }

  /** Reaches the clients of the hub at `path`. The hub may be added later, before it is first used. */
  context(path: string): HubContext {
    return new DeferredHubContext(() => this.runningHub(path));
  }

  /**
   * Answers the requests of clients: they negotiate, poll, read events, send and end.
   * @returns false when the request is not for a hub of this server
   */
  handleRequest(request: IncomingMessage, response: ServerResponse): boolean {
    const key = routeKey(splitTarget(request.url).path);
    const answer = this.#hubs.get(key)?.endpoint.request(request, response) ?? this.#negotiate(key, request, response);
    answer?.catch((error: unknown) => this.#fail(response, error));
    return answer !== undefined;
  }

  /** Answers the upgrade requests of an HTTP server. */
  attach(server: Server): void {
    this.upgrades.attach(server);
  }

  /** Checks every connection. A timer calls it once per sweep interval. */
  sweep(): void {
    this.#clock.advance(this.#now());
    this.#backlog.sweep();
    for (const { hub, endpoint } of this.#hubs.values()) {
      hub.sweep();
      endpoint.sweep();
    }
  }

  /** Refuses new connections, ends the open ones, and waits for every `onDisconnected`. May be called again. */
  close(): Promise<void> {
    return (this.#closed ??= this.#close());
  }

  async #close(): Promise<void> {
    this.upgrades.close();
    const hubs = [...this.#hubs.values()];
    for (const { endpoint } of hubs) endpoint.close();
    await Promise.all(hubs.map(({ hub }) => hub.close(this.#closing)));
    clearInterval(this.#timer);
  }

  #negotiate(key: string, request: IncomingMessage, response: ServerResponse): Promise<void> | undefined {
    if (!key.endsWith(NEGOTIATE)) return undefined;
    return this.#hubs.get(routeKey(key.slice(0, -NEGOTIATE.length)))?.endpoint.negotiate(request, response);
  }

  #fail(response: ServerResponse, error: unknown): void {
    this.#logger.error(`Request of a hub client: ${messageOf(error)}`);
    if (response.headersSent) response.destroy();
    else respond(response, plainAnswer(500, 'The request could not be answered.'));
  }
}
