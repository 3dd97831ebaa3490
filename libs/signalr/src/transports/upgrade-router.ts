import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { type HttpAnswer, plainAnswer, refuseUpgrade } from './http-answer.js';

/** Decides about one upgrade: either {@link Upgrade.take} and go on with the socket, or {@link Upgrade.refuse}. */
export type UpgradeHandler = (upgrade: Upgrade) => void | Promise<void>;

export interface UpgradeRouterOptions {
  /** How many upgrades may wait for their handler at once; more are answered 503. Default 10,000. */
  readonly maximumPending?: number;
  /** How long a handler may take, in milliseconds; then the answer is 503. Default 15,000. */
  readonly deadlineMs?: number;
  /** Told when a handler throws. */
  readonly onError?: (error: unknown) => void;
}

const DEFAULT_MAXIMUM_PENDING = 10_000;
const DEFAULT_DEADLINE_MS = 15_000;

/** A request to turn an HTTP connection into something else, while nobody has decided about it. */
export class Upgrade {
  readonly path: string;
  /** What stands behind the `?`, or an empty string. */
  readonly query: string;
  #pending = true;
  #deadline: NodeJS.Timeout | undefined;

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

  /** The socket becomes the caller's. False when it is gone already: closed by the client, refused, or past the deadline. */
  take(): boolean {
    if (!this.#pending) return false;
    this.#settle();
    return true;
  }

  /** Answers with a real HTTP response and ends the connection; does nothing when it is gone already. */
  refuse(answer: HttpAnswer): void {
    if (!this.#pending) return;
    this.#settle();
    this.socket.on('error', destroySocket);
    refuseUpgrade(this.socket, answer);
  }

  /** Bounds the time that a handler may take from now on, and notices a client that leaves meanwhile. */
  watch(deadlineMs: number): void {
    if (!this.#pending) return;
    this.socket.on('error', destroySocket);
    this.socket.on('close', this.#onClose);
    // Nobody reads yet, and who does not read does not see the end; this looks without taking anything.
    this.socket.on('readable', lookForEnd);
    this.socket.on('end', destroySocket);
    this.#deadline = setTimeout(() => this.refuse(plainAnswer(503, 'The server took too long to decide.')), deadlineMs);
  }

  readonly #onClose = (): void => {
    if (this.#pending) this.#settle();
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

/** Leads the upgrade requests of an HTTP server to the handler of their path; other paths get 404. */
export class UpgradeRouter {
  readonly #handlers = new Map<string, UpgradeHandler>();
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

  /** Serves upgrades of this path (no query), which clients may write in any case and with a slash at its end. */
  route(path: string, handler: UpgradeHandler): void {
    const key = routeKey(path);
    if (this.#handlers.has(key)) throw new Error(`The path '${path}' has an upgrade handler already.`);
    this.#handlers.set(key, handler);
  }

  /** Becomes the one that answers the upgrade requests of `server`. */
  attach(server: Server): void {
    server.on('upgrade', (request, socket, head) => void this.handle(request, socket, head));
  }

  /** Settles one upgrade request; never throws. */
  async handle(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const upgrade = new Upgrade(request, socket, head, (settled) => this.#pending.delete(settled));
    const handler = this.#handlers.get(routeKey(upgrade.path));
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

  /** Refuses everything that is pending, and everything to come. */
  close(): void {
    this.#closed = true;
    for (const upgrade of this.#pending) upgrade.refuse(plainAnswer(503, 'The server is shutting down.'));
  }
}

/** Splits a request target into its path and its query. */
export function splitTarget(target: string | undefined): { path: string; query: string } {
  const url = target ?? '';
  const mark = url.indexOf('?');
  return mark === -1 ? { path: url, query: '' } : { path: url.slice(0, mark), query: url.slice(mark + 1) };
}

/** What paths have in common that lead to the same handler: neither case nor one slash at the end matters. */
export function routeKey(path: string): string {
  return (path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path).toLowerCase();
}

function lookForEnd(this: Duplex): void {
  this.read(0);
}

function destroySocket(this: Duplex): void {
  this.destroy();
}
