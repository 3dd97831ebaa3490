import type { Duplex } from 'node:stream';
import { type RawData, type Server, WebSocket, WebSocketServer } from 'ws';
import type { Frame } from '../protocol/hub-protocol.js';
import { FrameWriter } from './frame-writer.js';
import { CLOSE_TIMEOUT_MS, type Transport, type TransportListener } from './transport.js';
import type { Upgrade } from './upgrade-router.js';

const NORMAL_CLOSURE = 1000;
/** Reported in place of a code when there was no close frame. */
const NO_CLOSE_FRAME = 1006;
/** The code with which browsers close when they reload their page, or leave it. */
const PAGE_LEFT = 1001;
/** Errors whose code begins like this are about the bytes of the client. Others are about the network. */
const PROTOCOL_ERROR = 'WS_ERR';
/** With so many unsent bytes, pings are not answered any more. */
const MAXIMUM_UNSENT_FOR_PONG = 65_536;

/** The bytes of a ping or pong of a client besides its data: two, and the mask. */
const CONTROL_HEADER_SIZE = 6;
/** The most fragments of one message. A small fragment takes more memory than its bytes. */
const MAXIMUM_FRAGMENTS = 1_024;

const NOTHING = Buffer.alloc(0);

const TRANSPORT = Symbol('transport');

/** The socket of a connection. All sockets share one listener, which finds the transport here. */
interface WiredSocket extends Duplex {
  [TRANSPORT]?: WebSocketTransport;
}

/** A WebSocket that is its own transport. One object per connection, and listeners that all share, take the least memory. */
export class WebSocketTransport extends WebSocket implements Transport {
  /** Set by {@link WebSocketTransport.start} before anything can arrive. */
  listener: TransportListener;
  /** The socket of the connection, which tells when everything sent has left. */
  wire: Duplex;
  /** Undefined until the socket is there. */
  writer: FrameWriter;
  /** The number of bytes that are written but have not left the process. */
  declare readonly bufferedAmount: number;
  failure: string | undefined;
  brokeProtocol: boolean;
  /**
   * True if neither side has ended the connection: the network failed, or the browser left the client's page, perhaps only to reload it.
   */
  isLost: boolean;
  /** True if a message has ended in the bytes that arrived last. */
  hasEndedMessage: boolean;
  /** The bytes of pings and pongs that have ended in the bytes that arrived last. */
  controlBytes: number;
  /** The newest ping that is not answered yet. */
  unansweredPing: Buffer | undefined;

  get name(): 'WebSockets' {
    return 'WebSockets';
  }

  start(listener: TransportListener): void {
    this.listener = listener;
    this.controlBytes = 0;
    this.on('message', onMessage);
    this.on('ping', onPing);
    this.on('pong', onPong);
    this.on('error', onError);
    this.on('close', onClose);
  }

  write(frame: Frame, binary: boolean, since?: number): void {
    if (this.readyState === WebSocket.OPEN) this.writer.write(frame, binary, since);
  }

  requestDrain(): void {
    this.writer.flush();
    const drained = (): void => this.listener.transportDrained();
    // A socket tells that it is empty only if it was full. An empty write ends after all writes before it.
    if (this.wire.writableLength > 0) this.wire.write(NOTHING, drained);
    else setImmediate(drained);
  }

  end(): void {
    this.close(NORMAL_CLOSURE);
  }

  /** Closes the WebSocket, after everything written before. */
  override close(code?: number, data?: string | Buffer): void {
    this.writer?.flush();
    super.close(code, data);
  }

  override terminate(): void {
    this.writer?.clear();
    super.terminate();
  }
}

// It is declared as a property, which a class cannot override with an accessor.
Object.defineProperty(WebSocketTransport.prototype, 'bufferedAmount', {
  get(this: WebSocketTransport): number {
    return this.writer.bufferedAmount;
  },
});

function onMessage(this: WebSocket, data: RawData): void {
  if (!(this instanceof WebSocketTransport)) return;
  this.hasEndedMessage = true;
  // With the default `binaryType` every message is a Buffer, text too.
  if (Buffer.isBuffer(data)) this.listener.receive(data);
}

/** Runs after the WebSocket has read the bytes. A WebSocket keeps the bytes of unfinished messages and does not report them. */
function onBytes(this: WiredSocket, bytes: Buffer): void {
  const transport = this[TRANSPORT];
  if (transport === undefined) return;
  if (!transport.hasEndedMessage) transport.listener.arriving(bytes.length - transport.controlBytes);
  transport.hasEndedMessage = false;
  transport.controlBytes = 0;
}

/** Pings of one turn of the event loop are answered once. */
function onPing(this: WebSocket, data: Buffer): void {
  if (!(this instanceof WebSocketTransport)) return;
  if (this.unansweredPing === undefined) setImmediate(answerPing, this);
  this.unansweredPing = data;
  this.controlBytes += CONTROL_HEADER_SIZE + data.length;
  this.listener.controlFrame();
}

/** A client that does not read gets no answers that would pile up. */
function answerPing(transport: WebSocketTransport): void {
  const { unansweredPing } = transport;
  transport.unansweredPing = undefined;
  if (transport.readyState === WebSocket.OPEN && transport.bufferedAmount < MAXIMUM_UNSENT_FOR_PONG) transport.pong(unansweredPing);
}

function onPong(this: WebSocket, data: Buffer): void {
  if (!(this instanceof WebSocketTransport)) return;
  this.controlBytes += CONTROL_HEADER_SIZE + data.length;
  this.listener.controlFrame();
}

function onError(this: WebSocket, error: Error & { readonly code?: string }): void {
  if (!(this instanceof WebSocketTransport)) return;
  this.failure = error.message;
  this.brokeProtocol = error.code?.startsWith(PROTOCOL_ERROR) === true;
}

function onClose(this: WebSocket, code: number): void {
  if (!(this instanceof WebSocketTransport)) return;
  this.isLost = (code === NO_CLOSE_FRAME && !this.brokeProtocol) || code === PAGE_LEFT;
  this.listener.transportClosed(this.failure ?? `WebSocket closed with code ${code}`);
}

/** Turns upgrades into WebSockets. */
export class WebSocketAcceptor {
  readonly #server: Server<typeof WebSocketTransport>;

  /**
   * @param maximumFrameSize the most bytes of one WebSocket message, which may hold several hub messages
   * @param longestPauseMs the longest time that a process which stands still may keep a message that was sent
   */
  constructor(
    maximumFrameSize: number,
    private readonly longestPauseMs: number,
  ) {
    const options = {
      noServer: true,
      clientTracking: false,
      perMessageDeflate: false,
      autoPong: false,
      maxFragments: MAXIMUM_FRAGMENTS,
      maxPayload: maximumFrameSize,
      closeTimeout: CLOSE_TIMEOUT_MS,
      WebSocket: WebSocketTransport,
    };
    this.#server = new WebSocketServer<typeof WebSocketTransport>(options);
  }

  /** Completes the WebSocket handshake, or answers 400 when the request is malformed. @returns true if `opened` was called */
  accept(upgrade: Upgrade, opened: (transport: WebSocketTransport) => void): boolean {
    let isOpen = false;
    this.#server.handleUpgrade(upgrade.request, upgrade.socket, upgrade.head, (transport) => {
      const wire: WiredSocket = upgrade.socket;
      transport.wire = wire;
      transport.writer = new FrameWriter(wire, this.longestPauseMs);
      wire[TRANSPORT] = transport;
      isOpen = true;
      opened(transport);
      wire.on('data', onBytes);
    });
    return isOpen;
  }
}
