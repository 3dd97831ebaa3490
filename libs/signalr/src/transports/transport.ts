import type { Frame } from '../protocol/hub-protocol.js';

/** What a transport tells its connection. `transportClosed` comes last. */
export interface TransportListener {
  /** The client has sent bytes. */
  receive(data: Buffer): void;
  /** Bytes of a frame have arrived whose end has not: so many more than before. */
  arriving(bytes: number): void;
  /** A frame has arrived that belongs to the transport, such as a ping. */
  controlFrame(): void;
  /** Everything sent has left this process. Called once after each {@link Transport.requestDrain}. */
  transportDrained(): void;
  transportClosed(reason: string): void;
}

/** Carries bytes between one client and its connection. There is one for WebSockets. */
export interface Transport {
  /** How many bytes were sent and have not left this process. */
  readonly bufferedAmount: number;
  /** Begins to hand over what arrives. */
  start(listener: TransportListener): void;
  /** Sends one frame, as bytes or as text. */
  write(frame: Frame, binary: boolean): void;
  /** Asks for {@link TransportListener.transportDrained}. */
  requestDrain(): void;
  /** Stops reading from the client, so that the client has to wait. */
  pause(): void;
  /** Goes on reading. */
  resume(): void;
  /** Ends the connection once everything sent has gone out. */
  end(): void;
  /** Ends the connection at once. */
  terminate(): void;
}
