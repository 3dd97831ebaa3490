/** The limits of a hub. Sizes are in bytes, times in milliseconds. */
export interface HubLimits {
  /** The most that one message of a client may have. A larger one ends the connection. */
  readonly maximumMessageSize: number;
  /** A client that was sent nothing for so long gets a ping. */
  readonly keepAliveMs: number;
  /** A client that has sent nothing for so long is disconnected. While its socket is paused the time does not count. */
  readonly clientTimeoutMs: number;
  /** Time-out of a handshake. */
  readonly handshakeTimeoutMs: number;
  /** The most items of a client's stream that wait for their reader before the socket is paused. */
  readonly streamBufferCapacity: number;
  /**
   * Time-out of a full stream that nothing has begun to read: it holds up everything behind it until it fails. A stream that is read slowly
   * may take longer.
   */
  readonly unreadStreamMs: number;
  /** The most streams of a connection in both directions together. A stream counts until its call is done. */
  readonly maximumStreams: number;
  /** The most calls of one client that run at once before its socket is paused. Calls with streams do not count. */
  readonly parallelInvocations: number;
  /**
   * The bytes of waiting calls and stream items of all clients of the hub together, from which on each client may have those of one largest
   * message only.
   */
  readonly sharedHeldSize: number;
  /** The number of unsent bytes above which streams to the client wait, and `sendLatest` keeps only the newest message of each key. */
  readonly sendHighWaterMark: number;
  /** The number of unsent bytes above which the next message ends the connection. `sendHighWaterMark`, `replayBufferSize` and `replayBurstSize` must not exceed it. */
  readonly maximumUnsentBytes: number;
  /** Time-out of a client that reads nothing while something waits to be sent. Then the connection ends. */
  readonly drainTimeoutMs: number;
  /**
   * The longest time that a process which stands still may keep a message that was sent, before it hands it to the network. After a longer
   * time the connection ends without the message: the client would get late what nobody expects any more. What was sent with
   * `since` has waited since then.
   */
  readonly longestPauseMs: number;
  /** Time-out of a client's answer to a call that sets none of its own. */
  readonly clientResultTimeoutMs: number;
  /** The most connections that are negotiated and not opened yet. More are answered 503. */
  readonly maximumPendingNegotiations: number;
  /** The most of these of one user, or of one source of clients without a user. */
  readonly maximumPendingNegotiationsPerClient: number;
  /** The most bytes of one POST of server-sent events and long polling, which may hold several messages. */
  readonly maximumPostSize: number;
  /** The longest wait of a poll for messages. Then its answer is empty. */
  readonly pollTimeoutMs: number;
  /** The longest absence of a client: between two polls, or between two WebSockets with stateful reconnect. Then the connection ends. */
  readonly disconnectTimeoutMs: number;
  /**
   * The number of bytes that a client with stateful reconnect has not acknowledged, above which streams to it wait, and `sendLatest`
   * keeps only the newest message of each key.
   */
  readonly replayBufferSize: number;
  /** The limit of that number while there is room in `sharedReplaySize`. 0: never more than `replayBufferSize`. */
  readonly replayBurstSize: number;
  /** The most bytes beyond their `replayBufferSize` that all clients of the hub together may have unacknowledged. */
  readonly sharedReplaySize: number;
  /** The time within which a negotiated connection can be opened. */
  readonly negotiationLifetimeMs: number;
  /** The most connections from one source without a user that the program has not vouched for. More are answered 503. */
  readonly maximumUnauthenticatedPerSource: number;
  /** The longest life of such a connection. Then it ends. */
  readonly unauthenticatedTimeoutMs: number;
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
  sharedHeldSize: 268_435_456,
  sendHighWaterMark: 65_536,
  maximumUnsentBytes: 4_194_304,
  drainTimeoutMs: 60_000,
  longestPauseMs: Infinity,
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
  maximumUnauthenticatedPerSource: Infinity,
  unauthenticatedTimeoutMs: Infinity,
};

/** The bytes that a .NET client sends in one WebSocket message besides the last hub message in it. */
const DOTNET_FRAME_SIZE = 1_048_576;

/** Limits of unsent bytes above which the hub waits for a client that reads slowly. */
const WAITING_LIMITS = ['sendHighWaterMark', 'replayBufferSize', 'replayBurstSize'] as const;

/**
 * The defaults, replaced by the chosen limits. Those that do not fit a smaller `maximumUnsentBytes` follow it.
 * @throws Error when a client would be disconnected for unread messages before anything waits for it
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
