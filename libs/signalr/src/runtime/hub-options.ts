import type { IncomingMessage } from 'node:http';
import type { HubProtocol } from '../protocol/hub-protocol.js';
import type { HttpAnswer } from '../transports/http-answer.js';
import type { TransportName } from '../transports/transport.js';
import type { HubError } from './errors.js';
import type { HubFilter } from './hub-filter.js';

/** What an authenticator decides about a request: who the client is, or the HTTP answer that refuses it. */
export type Authentication<User = unknown> =
  | {
      readonly accept: true;
      readonly user: User;
      /** Makes the connection reachable through `HubContext.user`. All requests of a connection have to come from the same one. */
      readonly userId?: string;
      /** When the authentication expires. Default: never. See {@link HubOptions.closeOnAuthenticationExpiration}. */
      readonly expiresAt?: Date;
    }
  | ({ readonly accept: false } & HttpAnswer);

export interface HubOptions<User = unknown> {
  readonly path: string;
  /** The transports that clients may use. Default: all. */
  readonly transports?: readonly TransportName[];
  /**
   * Whether a client that asks for it may come back to its connection when its WebSocket is lost, and nothing is lost with it.
   * Default false.
   */
  readonly statefulReconnect?: boolean;
  /**
   * Called when a client negotiates, when it connects, and for each request of server-sent events and long polling. Without it
   * everybody may connect, and `user` is undefined.
   */
  readonly authenticate?: (request: IncomingMessage) => Promise<Authentication<User>> | Authentication<User>;
  /**
   * Ends a connection when its authentication expires. The client may come back. A poll, or a return with stateful reconnect, brings a new
   * authentication, which replaces the former one. Default false: the connection goes on, as with ASP.NET Core.
   */
  readonly closeOnAuthenticationExpiration?: boolean;
  /** Why a user whose request was accepted cannot open another connection now, as an HTTP answer. Default: everybody can. */
  readonly refusalOf?: (user: User, request: IncomingMessage) => HttpAnswer | undefined;
  /** Whether a page of the request's `Origin` may connect. If not, the answer is 403. Default: every page may. */
  readonly checkOrigin?: (request: IncomingMessage) => boolean;
  /** The client's address. Set it behind a proxy. Default: the address of the socket's other end. */
  readonly clientAddress?: (request: IncomingMessage) => string | undefined;
  /** The host of the service that the client called, for `HubConnection.calledHost`. Default: not kept. */
  readonly calledHost?: (request: IncomingMessage) => string;
  /** The name of the place that an address belongs to, for limits that count by place. Default: the address itself. */
  readonly sourceOf?: (address: string) => string;
  /** The names of the headers that `HubConnection.request` keeps, in any case. Default: all but those of credentials. */
  readonly keptHeaders?: readonly string[];
  /** Whether the client is told the text of unexpected errors. Default false. */
  readonly detailedErrors?: boolean;
  /** The `HubError` that stands for another error of a method or of `onConnected`, for errors of other libraries whose text callers may be told. */
  readonly hubErrorOf?: (error: unknown) => HubError | undefined;
  /** What the hub speaks. Default: JSON and MessagePack. */
  readonly protocols?: readonly HubProtocol[];
  /** Run around connections and calls, the first one outermost, within those of the server. */
  readonly filters?: readonly HubFilter<User>[];
  readonly limits?: Partial<HubLimits>;
}

/** The limits of a hub. Sizes are in bytes, times in milliseconds. */
export interface HubLimits {
  /** The most that one message of a client may have. A larger one ends the connection. */
  readonly maximumMessageSize: number;
  /** A client that was sent nothing for so long gets a ping. */
  readonly keepAliveMs: number;
  /** A client that has sent nothing for so long is disconnected. While its socket is paused the time does not count. */
  readonly clientTimeoutMs: number;
  /** How long a handshake may take. */
  readonly handshakeTimeoutMs: number;
  /** How many items of a client's stream may wait for their reader before the socket is paused. */
  readonly streamBufferCapacity: number;
  /**
   * How long a full stream may hold up everything behind it before anybody has begun to read it. Then it fails. A stream that is read
   * slowly may take longer.
   */
  readonly unreadStreamMs: number;
  /** How many streams a connection may have in both directions together. A stream counts until its call is done. */
  readonly maximumStreams: number;
  /** How many calls of one client run at once before its socket is paused. Calls with streams do not count. */
  readonly parallelInvocations: number;
  /** The number of unsent bytes above which streams to the client wait, and `sendLatest` keeps only the newest message of each key. */
  readonly sendHighWaterMark: number;
  /** The number of unsent bytes above which the next message ends the connection. `sendHighWaterMark`, `replayBufferSize` and `replayBurstSize` must not exceed it. */
  readonly maximumUnsentBytes: number;
  /** How long a client may take to read what was sent while something waits to be sent. Then the connection ends. */
  readonly drainTimeoutMs: number;
  /** How long a client may take to answer a call that sets no time of its own. */
  readonly clientResultTimeoutMs: number;
  /** How many connections may be negotiated and not opened yet. More are answered 503. */
  readonly maximumPendingNegotiations: number;
  /** How many of these one user may have, or one source of clients without a user. */
  readonly maximumPendingNegotiationsPerClient: number;
  /** The most bytes of one POST of server-sent events and long polling, which may hold several messages. */
  readonly maximumPostSize: number;
  /** How long a poll waits for messages. Then its answer is empty. */
  readonly pollTimeoutMs: number;
  /** How long a client may be away: between two polls, or between two WebSockets with stateful reconnect. Then the connection ends. */
  readonly disconnectTimeoutMs: number;
  /**
   * The number of bytes that a client with stateful reconnect has not acknowledged, above which streams to it wait, and `sendLatest`
   * keeps only the newest message of each key.
   */
  readonly replayBufferSize: number;
  /** What that number may be while there is room in `sharedReplaySize`. 0: never more than `replayBufferSize`. */
  readonly replayBurstSize: number;
  /** How many bytes beyond their `replayBufferSize` all clients of the hub together may have unacknowledged. */
  readonly sharedReplaySize: number;
  /** How long after negotiating a connection can be opened. */
  readonly negotiationLifetimeMs: number;
  /** How many connections without a user, and which the program has not vouched for, may come from one source. More are answered 503. */
  readonly maximumNewcomersPerSource: number;
  /** How long such a connection may stay. Then it ends. */
  readonly newcomerTimeoutMs: number;
}

export const DEFAULT_LIMITS: HubLimits = {
  maximumMessageSize: 100_000,
  keepAliveMs: 15_000,
  clientTimeoutMs: 30_000,
  handshakeTimeoutMs: 10_000,
  streamBufferCapacity: 10,
  unreadStreamMs: Infinity,
  maximumStreams: 100,
  parallelInvocations: 16,
  sendHighWaterMark: 65_536,
  maximumUnsentBytes: 4_194_304,
  drainTimeoutMs: 60_000,
  clientResultTimeoutMs: 30_000,
  maximumPostSize: 30_000_000,
  pollTimeoutMs: 90_000,
  disconnectTimeoutMs: 30_000,
  replayBufferSize: 100_000,
  replayBurstSize: 0,
  sharedReplaySize: 0,
  maximumPendingNegotiations: 10_000,
  maximumPendingNegotiationsPerClient: 500,
  negotiationLifetimeMs: 15_000,
  maximumNewcomersPerSource: Infinity,
  newcomerTimeoutMs: Infinity,
};

/** How many bytes a .NET client sends in one WebSocket message besides the last hub message in it. */
const DOTNET_FRAME_SIZE = 1_048_576;

/** The unsent bytes from which on a client that reads slowly is waited for. */
const WAITING_LIMITS = ['sendHighWaterMark', 'replayBufferSize', 'replayBurstSize'] as const;

/**
 * The defaults, replaced by what was chosen. Those that do not fit a smaller `maximumUnsentBytes` follow it.
 * @throws Error when a client would be disconnected for what it has not read before anything waits for it
 */
export function resolveLimits(chosen: Partial<HubLimits> = {}): HubLimits {
  const limits = { ...DEFAULT_LIMITS, ...chosen };
  const { maximumUnsentBytes } = limits;
  for (const name of WAITING_LIMITS) {
    if (limits[name] <= maximumUnsentBytes) continue;
    if (chosen[name] !== undefined)
      throw new Error(`${name} (${limits[name]}) must not exceed maximumUnsentBytes (${maximumUnsentBytes}).`);
    limits[name] = maximumUnsentBytes;
  }
  return limits;
}

/** The most bytes that one WebSocket message of a client may have. It may hold several hub messages. */
export function maximumFrameSize({ maximumMessageSize }: HubLimits): number {
  return DOTNET_FRAME_SIZE + maximumMessageSize;
}
