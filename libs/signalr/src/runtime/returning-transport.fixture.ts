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

  /** Loses the socket on the network. Messages sent since {@link clear} are gone. */
  loseSocket(): void {
    this.clear();
    this.#listener?.transportLost?.();
  }

  /** Opens another socket of the client. Messages sent before went nowhere. */
  comeBack(): void {
    this.clear();
    this.#listener?.transportReturned?.();
  }
}
