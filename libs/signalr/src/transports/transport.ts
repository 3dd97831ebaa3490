import type { Frame } from '../protocol/hub-protocol.js';

/** What a connection hears from its transport. After `transportClosed` it hears nothing more. */
export interface TransportListener {
  receive(data: Buffer): void;
  /** Everything sent has left this process; told once after each {@link Transport.requestDrain}. */
  transportDrained(): void;
  transportClosed(reason: string): void;
}

/** Carries frames between one client and its connection: WebSockets today; server-sent events and long polling fit as well. */
export interface Transport {
  /** Bytes that were sent but have not left this process. */
  readonly bufferedAmount: number;
  /** Starts to hand over what arrives. */
  start(listener: TransportListener): void;
  /** Sends one frame, as bytes or as text. */
  write(frame: Frame, binary: boolean): void;
  /** Asks for {@link TransportListener.transportDrained}. */
  requestDrain(): void;
  /** Stops reading, so that the client feels the back-pressure. */
  pause(): void;
  resume(): void;
  /** Ends politely: what was sent still goes out. */
  end(): void;
  /** Ends at once. */
  terminate(): void;
}
