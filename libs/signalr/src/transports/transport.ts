import type { Frame } from '../protocol/hub-protocol.js';

/** The ways in which clients connect, in the order in which they try them. The names are those of the negotiation. */
export const TRANSPORTS = ['WebSockets', 'ServerSentEvents', 'LongPolling'] as const;
export type TransportName = (typeof TRANSPORTS)[number];

/** The calls of a transport to its connection. `transportClosed` comes last. */
export interface TransportListener {
  /** The client has sent bytes, which may have waited for so many milliseconds before they arrived here; 0 by default. */
  receive(data: Buffer, waitedMs?: number): void;
  /**
   * More bytes of a frame have arrived whose end has not. Negative when bytes that were counted belong to a ping that has ended, which is no
   * message.
   */
  arriving(bytes: number): void;
  /** A frame has arrived that belongs to the transport, such as a ping. */
  controlFrame(): void;
  /** Everything sent has left this process. Called once after each {@link Transport.requestDrain}. */
  transportDrained(): void;
  /** After {@link Transport.awaitReturn}: the client's socket is lost. Messages written until the client returns go nowhere. */
  transportLost?(): void;
  /** The client has come back over another socket. */
  transportReturned?(): void;
  transportClosed(reason: string): void;
}

/** Carries bytes between one client and its connection. */
export interface Transport {
  readonly name: TransportName;
  /** The number of bytes that were sent and have not left this process. */
  readonly bufferedAmount: number;
  /** True if the transport itself notices that its client is gone. Then neither side sends pings. */
  readonly hasInherentKeepAlive?: boolean;
  /** True if it carries nothing but text. */
  readonly isTextOnly?: boolean;
  /** Begins to hand over incoming bytes. */
  start(listener: TransportListener): void;
  /** Sends one frame, as bytes or as text. It has waited since then, by the monotonic clock in milliseconds; since now by default. */
  write(frame: Frame, binary: boolean, since?: number): void;
  /** Asks for {@link TransportListener.transportDrained}. */
  requestDrain(): void;
  /** Stops reading from the client, so that the client has to wait. */
  pause(): void;
  /** Goes on reading. */
  resume(): void;
  /** From now on the client may come back when its socket is lost. Absent if the transport cannot. */
  awaitReturn?(): void;
  /** Ends the connection once everything sent has gone out. */
  end(): void;
  /** Ends the connection at once. */
  terminate(): void;
  /** Checks the time for which the client has been away or has not read. Absent if the transport has one socket for its whole life. */
  sweep?(): void;
}

/** A clock in milliseconds that stands still while the process is suspended. */
export interface Clock {
  readonly time: number;
}

/** Time-out of a client's answer to the end of its connection, in milliseconds. */
export const CLOSE_TIMEOUT_MS = 5_000;

/** Reasons of the end of a connection whose client has gone without closing it. */
export const CLIENT_LOST = 'the client was lost and did not come back';
export const POLLING_STOPPED = 'the client has stopped polling';
