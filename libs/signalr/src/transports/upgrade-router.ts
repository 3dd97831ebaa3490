import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { type HttpAnswer, plainAnswer, refuseUpgrade } from './http-answer.js';
import { timerMs } from './longest-timer.js';

/** Decides about one upgrade: it calls {@link Upgrade.take} and uses the socket, or calls {@link Upgrade.refuse}. */
export type UpgradeHandler = (upgrade: Upgrade) => void | Promise<void>;

export interface UpgradeRouterOptions {
  /** The most upgrades that wait for their handlers. More are answered 503. Default 10,000. */
  readonly maximumPending?: number;
  /** Time-out of a handler, in milliseconds. Then the answer is 503. Default 15,000. */
  readonly deadlineMs?: number;
  /** Called with the errors of handlers. */
  readonly onError?: (error: unknown) => void;
}

const DEFAULT_MAXIMUM_PENDING = 10_000;
const DEFAULT_DEADLINE_MS = 15_000;

/** A request to turn an HTTP connection into something else. Its handler takes it or refuses it. */
export class Upgrade {
  readonly path: string;
  /** The text after the `?`, or an empty string. */
  readonly query: string;
  #pending = true;
  #held = false;
  #deadline: NodeJS.Timeout | undefined;
  #onLeave: (() => void) | undefined;

  constructor(
    readonly request: IncomingMessage,
    readonly socket: Duplex,
    readonly head: Buffer,
    private readonly settled: (upgrade: Upgrade) => void,
  ) {
    const { path, query } = splitTarget(request.url);
    this.path = path;
    this.query = query;
  }

  /** Hands the socket to the caller. False when it is too late: the client has left, or the upgrade was refused. */
  take(): boolean {
    if (!this.#pending) return false;
    this.#settle();
    return true;
  }

  /**
   * Lets the caller decide in its own time and within its own limits: the router neither counts nor ends this upgrade any more.
   * `onLeave` is called when the client leaves before the caller has decided. False when it is too late.
   */
  hold(onLeave: () => void): boolean {
    if (!this.#pending) return false;
    this.#held = true;
    this.#onLeave = onLeave;
    clearTimeout(this.#deadline);
    this.settled(this);
    return true;
  }

  /** Answers with an HTTP response and ends the connection. Does nothing when it is too late. */
  refuse(answer: HttpAnswer): void {
    if (!this.#pending) return;
    this.#settle();
    this.socket.on('error', destroySocket);
    refuseUpgrade(this.socket, answer);
  }

  /** Refuses the upgrade after `deadlineMs`, and notices a client that leaves before. @internal */
  watch(deadlineMs: number): void {
    if (!this.#pending) return;
    this.socket.on('error', destroySocket);
    this.socket.on('close', this.#onClose);
    // A stream reports its end only to those that read. This looks for the end and takes no data.
    this.socket.on('readable', lookForEnd);
    this.socket.on('end', destroySocket);
    if (this.#held) return;
    this.#deadline = setTimeout(() => this.refuse(plainAnswer(503, 'The server took too long to decide.')), timerMs(deadlineMs));
  }

  readonly #onClose = (): void => {
    if (!this.#pending) return;
    this.#settle();
    this.#onLeave?.();
  };

  #settle(): void {
    this.#pending = false;
    clearTimeout(this.#deadline);
    this.socket.off('error', destroySocket);
    this.socket.off('close', this.#onClose);
    this.socket.off('readable', lookForEnd);
    this.socket.off('end', destroySocket);
    this.settled(this);
  }
}

/** Hands the upgrade requests of an HTTP server to the handlers of their paths. Other paths are answered 404. */
export class UpgradeRouter {
  readonly #handlers = new Map<string, UpgradeHandler>();
  /** Handlers that also serve the paths below their own. */
  readonly #trees = new Map<string, UpgradeHandler>();
  readonly #pending = new Set<Upgrade>();
  readonly #maximumPending: number;
  readonly #deadlineMs: number;
  readonly #onError: (error: unknown) => void;
  #closed = false;

  constructor(options: UpgradeRouterOptions = {}) {
    this.#maximumPending = options.maximumPending ?? DEFAULT_MAXIMUM_PENDING;
    this.#deadlineMs = options.deadlineMs ?? DEFAULT_DEADLINE_MS;
    this.#onError = options.onError ?? ((): void => undefined);
  }

  /**
   * Serves upgrades of `path`, which clients may write in any case and with a slash at its end.
   * @throws Error when the path has a handler already
   */
  route(path: string, handler: UpgradeHandler): void {
    const key = routeKey(path);
    if (this.#handlers.has(key)) throw new Error(`The path '${path}' has an upgrade handler already.`);
    this.#handlers.set(key, handler);
  }

  /** Like {@link route}, also for all paths below `path`. */
  routeTree(path: string, handler: UpgradeHandler): void {
    this.route(path, handler);
    this.#trees.set(`${routeKey(path)}/`, handler);
  }

  /** Answers the upgrade requests of `server`. */
  attach(server: Server): void {
    server.on('upgrade', (request, socket, head) => void this.handle(request, socket, head));
  }

  /** Answers one upgrade request. Never rejects. */
  async handle(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const upgrade = new Upgrade(request, socket, head, (settled) => this.#pending.delete(settled));
    const handler = this.#handlerOf(routeKey(upgrade.path));
    if (handler === undefined) return upgrade.refuse(plainAnswer(404, 'Nothing to connect to here.'));
    if (this.#closed) return upgrade.refuse(plainAnswer(503, 'The server is shutting down.'));
    if (this.#pending.size >= this.#maximumPending) return upgrade.refuse(plainAnswer(503, 'Too many connections are being opened.'));

    this.#pending.add(upgrade);
    try {
      const decision = handler(upgrade);
      upgrade.watch(this.#deadlineMs);
      await decision;
    } catch (error) {
      this.#onError(error);
      upgrade.refuse(plainAnswer(500, 'The connection could not be opened.'));
    }
  }

  #handlerOf(key: string): UpgradeHandler | undefined {
    const handler = this.#handlers.get(key);
    if (handler !== undefined) return handler;
    for (const [prefix, tree] of this.#trees) if (key.startsWith(prefix)) return tree;
    return undefined;
  }

  /** Refuses all upgrades that wait and all later ones, except those that are held. */
  close(): void {
    this.#closed = true;
    for (const upgrade of this.#pending) upgrade.refuse(plainAnswer(503, 'The server is shutting down.'));
  }
}

/** Splits the URL of a request into its path and its query. */
export function splitTarget(target: string | undefined): { path: string; query: string } {
  const url = target ?? '';
  const mark = url.indexOf('?');
  return mark === -1 ? { path: url, query: '' } : { path: url.slice(0, mark), query: url.slice(mark + 1) };
}

/** The same text for all paths that lead to the same handler: case does not matter, nor does one slash at the end. */
export function routeKey(path: string): string {
  return (path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path).toLowerCase();
}

function lookForEnd(this: Duplex): void {
  this.read(0);
}

function destroySocket(this: Duplex): void {
  this.destroy();
}
