import type { Frame } from '../protocol/hub-protocol.js';
import { CLIENT_LOST, type Clock, type Transport, type TransportListener } from './transport.js';
import type { WebSocketTransport } from './websocket-transport.js';

export interface ReconnectingContext {
  readonly clock: Clock;
  /** The longest absence of the client. */
  readonly limits: { readonly disconnectTimeoutMs: number };
}

/** Ignores the events of a socket that was replaced. */
const NOBODY: TransportListener = {
  receive: () => undefined,
  arriving: () => undefined,
  controlFrame: () => undefined,
  transportDrained: () => undefined,
  transportClosed: () => undefined,
};

/**
 * A WebSocket that the client may replace by another one when it is lost. A client that wants to end its connection closes the WebSocket;
 * one that breaks off without a close frame is lost. So is that of a page that a browser leaves: the browser does not tell if it reloads
 * the page, which then takes over the connections of the former one.
 */
export class ReconnectingTransport implements Transport, TransportListener {
  readonly name = 'WebSockets';
  #listener: TransportListener = NOBODY;
  /** Undefined while the client is away. */
  #socket: WebSocketTransport | undefined;
  #awaitsReturn = false;
  /** The time at which the client was lost. */
  #lostAt = 0;
  #isPaused = false;
  #wantsDrain = false;
  #hasEnded = false;

  constructor(
    socket: WebSocketTransport,
    private readonly context: ReconnectingContext,
  ) {
    this.#socket = socket;
  }

  get bufferedAmount(): number {
    return this.#socket?.bufferedAmount ?? 0;
  }

  /** True if the client may come over another socket now. */
  get mayReturn(): boolean {
    return this.#awaitsReturn && !this.#hasEnded;
  }

  start(listener: TransportListener): void {
    this.#listener = listener;
    this.#socket?.start(this);
  }

  awaitReturn(): void {
    this.#awaitsReturn = true;
  }

  /** Takes the new socket of a client that has come back. The former one is closed, in case it is not lost. */
  takeOver(socket: WebSocketTransport): void {
    const former = this.#socket;
    if (former !== undefined) {
      this.#lose(former);
      // A paused socket would never see the answer to its close frame.
      former.resume();
      former.end();
    }
    this.#socket = socket;
    socket.start(this);
    if (this.#isPaused) socket.pause();
    this.#listener.transportReturned?.();
    if (this.#wantsDrain) socket.requestDrain();
  }

  write(frame: Frame, binary: boolean, since?: number): void {
    this.#socket?.write(frame, binary, since);
  }

  requestDrain(): void {
    this.#wantsDrain = true;
    this.#socket?.requestDrain();
  }

  pause(): void {
    this.#isPaused = true;
    this.#socket?.pause();
  }

  resume(): void {
    this.#isPaused = false;
    this.#socket?.resume();
  }

  end(): void {
    this.#hasEnded = true;
    if (this.#socket === undefined) this.#listener.transportClosed('the connection ended while its client was away');
    else this.#socket.end();
  }

  terminate(): void {
    this.#hasEnded = true;
    if (this.#socket === undefined) this.#listener.transportClosed('the connection was cut off while its client was away');
    else this.#socket.terminate();
  }

  /** Ends the connection of a client that has not come back in time. */
  sweep(): void {
    if (this.#socket !== undefined || this.#hasEnded) return;
    if (this.context.clock.time - this.#lostAt < this.context.limits.disconnectTimeoutMs) return;
    this.#hasEnded = true;
    this.#listener.transportClosed(CLIENT_LOST);
  }

  receive(data: Buffer, waitedMs?: number): void {
    this.#listener.receive(data, waitedMs);
  }

  arriving(bytes: number): void {
    this.#listener.arriving(bytes);
  }

  controlFrame(): void {
    this.#listener.controlFrame();
  }

  transportDrained(): void {
    this.#wantsDrain = false;
    this.#listener.transportDrained();
  }

  transportClosed(reason: string): void {
    if (this.mayReturn && this.#socket?.isLost === true) return this.#lose(this.#socket);
    this.#hasEnded = true;
    this.#socket = undefined;
    this.#listener.transportClosed(reason);
  }

  #lose(socket: WebSocketTransport): void {
    socket.listener = NOBODY;
    this.#socket = undefined;
    this.#lostAt = this.context.clock.time;
    this.#listener.transportLost?.();
  }
}
