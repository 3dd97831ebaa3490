import { RecordingTransport } from './recording-transport.fixture.js';
import type { TransportListener } from '../transports/transport.js';

/** A transport without a network whose client can lose its socket and come back. */
export class ReturningTransport extends RecordingTransport {
  /** True once the connection lets its client come back. */
  awaitsReturn = false;
  #listener: TransportListener | undefined;

  override start(listener: TransportListener): void {
    this.#listener = listener;
    super.start(listener);
  }

  awaitReturn(): void {
    this.awaitsReturn = true;
  }

  /** The network loses the socket. What was sent since {@link clear} is gone. */
  loseSocket(): void {
    this.clear();
    this.#listener?.transportLost?.();
  }

  /** Opens another socket of the client. What was sent before went nowhere. */
  comeBack(): void {
    this.clear();
    this.#listener?.transportReturned?.();
  }
}
