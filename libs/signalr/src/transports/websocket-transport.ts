import type { Duplex } from 'node:stream';
import { type RawData, type Server, WebSocket, WebSocketServer } from 'ws';
import type { Frame } from '../protocol/hub-protocol.js';
import type { Transport, TransportListener } from './transport.js';
import type { Upgrade } from './upgrade-router.js';

/** How long a client may take to answer a close frame. */
const CLOSE_TIMEOUT_MS = 5_000;
const NORMAL_CLOSURE = 1000;

const TEXT = { binary: false, compress: false };
const BINARY = { binary: true, compress: false };

/** A WebSocket that is its own transport. One object per connection, and listeners that all share, take the least memory. */
export class WebSocketTransport extends WebSocket implements Transport {
  /** Set by {@link WebSocketTransport.start} before anything can arrive. */
  listener: TransportListener;
  /** The socket of the connection, which tells when everything sent has left. */
  wire: Duplex;
  failure: string | undefined;

  start(listener: TransportListener): void {
    this.listener = listener;
    this.on('message', onMessage);
    this.on('error', onError);
    this.on('close', onClose);
  }

  write(frame: Frame, binary: boolean): void {
    this.send(frame, binary ? BINARY : TEXT);
  }

  requestDrain(): void {
    const drained = (): void => this.listener.transportDrained();
    if (this.wire.writableNeedDrain) this.wire.once('drain', drained);
    else setImmediate(drained);
  }

  end(): void {
    this.close(NORMAL_CLOSURE);
  }
}

function onMessage(this: WebSocket, data: RawData): void {
  // With the default `binaryType` every message is a Buffer, text too.
  if (this instanceof WebSocketTransport && Buffer.isBuffer(data)) this.listener.receive(data);
}

function onError(this: WebSocket, error: Error): void {
  if (this instanceof WebSocketTransport) this.failure = error.message;
}

function onClose(this: WebSocket, code: number): void {
  if (this instanceof WebSocketTransport) this.listener.transportClosed(this.failure ?? `WebSocket closed with code ${code}`);
}

/** Turns upgrades into WebSockets. */
export class WebSocketAcceptor {
  readonly #server: Server<typeof WebSocketTransport>;

  /** @param maximumFrameSize the most bytes of one WebSocket message, which may hold several hub messages */
  constructor(maximumFrameSize: number) {
    const options = {
      noServer: true,
      clientTracking: false,
      perMessageDeflate: false,
      maxPayload: maximumFrameSize,
      closeTimeout: CLOSE_TIMEOUT_MS,
      WebSocket: WebSocketTransport,
    };
    this.#server = new WebSocketServer<typeof WebSocketTransport>(options);
  }

  /** Completes the WebSocket handshake, or answers 400 when the request is malformed. */
  accept(upgrade: Upgrade, opened: (transport: WebSocketTransport) => void): void {
    this.#server.handleUpgrade(upgrade.request, upgrade.socket, upgrade.head, (transport) => {
      transport.wire = upgrade.socket;
      opened(transport);
    });
  }
}
