import type { IncomingMessage } from 'node:http';
import type { HttpAnswer } from '../transports/http-answer.js';

/** What an authenticator decides about a request: who it is, or the HTTP answer that refuses it. */
export type Authentication<User = unknown> =
  | {
      readonly accept: true;
      readonly user: User;
      /** Makes the connection reachable through `HubContext.user`. */ readonly userId?: string;
    }
  | ({ readonly accept: false } & HttpAnswer);

export interface HubOptions {
  readonly path: string;
  /** Asked at negotiate and again at the upgrade. Without it everybody may connect, and `user` is undefined. */
  readonly authenticate?: (request: IncomingMessage) => Promise<Authentication> | Authentication;
  /** Whether a browser page of the request's `Origin` may connect; a refusal is answered 403. Default: every one may. */
  readonly checkOrigin?: (request: IncomingMessage) => boolean;
  /** The client's address. Default: the address of the socket's peer; set it behind a proxy. */
  readonly clientAddress?: (request: IncomingMessage) => string | undefined;
  /** Whether the text of unexpected errors reaches the client. Default false. */
  readonly detailedErrors?: boolean;
  readonly limits?: Partial<HubLimits>;
}

/** Every limit of a hub. Sizes are bytes, times milliseconds. */
export interface HubLimits {
  /** One message from a client; a larger one ends the connection. */
  readonly maximumMessageSize: number;
  /** One WebSocket message from a client. Clients may put several hub messages into one: .NET clients up to 1 MiB of them. */
  readonly maximumFrameSize: number;
  /** After so long without a message to the client it gets a ping. */
  readonly keepAliveMs: number;
  /** After so long without a message from the client the connection ends. A socket that is paused does not count as silent. */
  readonly clientTimeoutMs: number;
  /** How long the handshake may take. */
  readonly handshakeTimeoutMs: number;
  /** Items of one stream from a client that wait for their reader; then the socket is paused. */
  readonly streamBufferCapacity: number;
  /**
   * Items that the streams of one client may hold together when their readers are slow, so that what comes behind them gets
   * through all the same, the slower the more they hold.
   */
  readonly slowStreamBuffer: number;
  /**
   * How long the consumer of a full stream may take nothing while the server waits for an answer of the same client, which
   * cannot come through meanwhile; then the stream fails. While nobody waits a full stream may stay full.
   */
  readonly stalledStreamMs: number;
  /** Streams of one connection, both directions together, until their call is done. */
  readonly maximumStreams: number;
  /** Calls of one client that run at once, not counting those with streams; then the socket is paused. */
  readonly parallelInvocations: number;
  /** Messages that may wait for their turn while the server waits for answers of the same client; then the socket is paused all the same. */
  readonly maximumWaitingMessages: number;
  /** Unsent bytes above which streams to the client stop and `sendLatest` keeps only the newest. */
  readonly sendHighWaterMark: number;
  /** Unsent bytes above which a message more ends the connection: the client reads too slowly. */
  readonly maximumUnsentBytes: number;
  /** How long a client that others wait for may take to read everything that was sent; then the connection ends. */
  readonly drainTimeoutMs: number;
  /** How long a client may take to answer a call, unless the call says otherwise. */
  readonly clientResultTimeoutMs: number;
  /** Negotiated connections that were not opened yet; more are answered 503. */
  readonly maximumPendingNegotiations: number;
  /** How long a negotiated connection may wait to be opened. */
  readonly negotiationLifetimeMs: number;
}

const DEFAULT_MESSAGE_SIZE = 100_000;
const DOTNET_FRAME_SIZE = 1_048_576;

export const DEFAULT_LIMITS: HubLimits = {
  maximumMessageSize: DEFAULT_MESSAGE_SIZE,
  maximumFrameSize: DOTNET_FRAME_SIZE + DEFAULT_MESSAGE_SIZE,
  keepAliveMs: 15_000,
  clientTimeoutMs: 30_000,
  handshakeTimeoutMs: 15_000,
  streamBufferCapacity: 10,
  slowStreamBuffer: 128,
  stalledStreamMs: 10_000,
  maximumStreams: 100,
  parallelInvocations: 16,
  maximumWaitingMessages: 1_000,
  sendHighWaterMark: 65_536,
  maximumUnsentBytes: 4_194_304,
  drainTimeoutMs: 60_000,
  clientResultTimeoutMs: 30_000,
  maximumPendingNegotiations: 10_000,
  negotiationLifetimeMs: 15_000,
};

/** The defaults with `chosen` over them. A frame limit that is not chosen follows the message limit. */
export function resolveLimits(chosen: Partial<HubLimits> = {}): HubLimits {
  const maximumMessageSize = chosen.maximumMessageSize ?? DEFAULT_MESSAGE_SIZE;
  return { ...DEFAULT_LIMITS, maximumFrameSize: DOTNET_FRAME_SIZE + maximumMessageSize, ...chosen };
}
