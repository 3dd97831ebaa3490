import { once } from 'node:events';
import { WebSocket, type RawData } from 'ws';
import {
  decodeMessage,
  encodeMessage,
  SendWindow,
  type Message,
  type MessageName,
  type MessageValue,
  type UnknownMessage,
} from '#libs/desktop-stream';
import { watchLife } from '../connection/signs-of-life.js';
import { messageOf, RefusedError } from '../failures.js';

/** Time limit of the relay's answer: it comes when the viewer has connected, or after 30 s. */
const RELAY_TIMEOUT_MS = 40_000;
/** Longest message of a viewer, its frame included. */
const MAX_RECEIVED_BYTES = 2 * 1024 * 1024;
const CLOSE_TIMEOUT_MS = 1_000;
const LOOKS = { lookMs: 2_000, looksUntilDead: 3 };
/** Bytes that the network has not taken. A viewer acknowledges much earlier. */
const MAX_BUFFERED_BYTES = 64 * 1024 * 1024;

/** A message of the viewer that is not an acknowledgement. */
export type Incoming = Exclude<Message, { readonly name: 'Ack' }> | UnknownMessage;

/** The connection with the viewer through the relay. */
export class RelayConnection {
  private readonly window: SendWindow;
  private acknowledgedAt = performance.now();

  private constructor(
    private readonly socket: WebSocket,
    longestWaitMs: number | undefined,
  ) {
    this.window = new SendWindow(() => process.hrtime.bigint(), longestWaitMs);
  }

  /**
   * Dials the relay. Resolves when the viewer is there. `longestWaitMs` is for tests: the time after which a viewer that acknowledges nothing
   * is given up.
   * @throws RefusedError when it does not come
   */
  static async dial(uri: string, longestWaitMs?: number): Promise<RelayConnection> {
    const socket = new WebSocket(uri, { perMessageDeflate: false, handshakeTimeout: RELAY_TIMEOUT_MS, maxPayload: MAX_RECEIVED_BYTES });
    // What arrives before there is a listener waits.
    socket.once('open', () => socket.pause());
    try {
      await once(socket, 'open');
    } catch (error) {
      throw new RefusedError(`The relay did not connect the session: ${messageOf(error)}`);
    }
    return new RelayConnection(socket, longestWaitMs);
  }

  /** Resolves when the connection has ended. */
  get ended(): Promise<void> {
    if (this.socket.readyState === WebSocket.CLOSED) return Promise.resolve();
    return new Promise((resolve) => this.socket.once('close', () => resolve()));
  }

  /** The time since the viewer has acknowledged something, while something is not acknowledged; 0 otherwise. */
  get silentMs(): number {
    return this.window.unacknowledgedBytes === 0 ? 0 : performance.now() - this.acknowledgedAt;
  }

  /** Time from sending to acknowledgement in milliseconds; undefined before the first one. */
  get latencyMs(): number | undefined {
    return this.window.latency === null ? undefined : Number(this.window.latency / 1_000n) / 1_000;
  }

  /** Passes on each message of the viewer, and acknowledges it when it has been dealt with. `failed` gets bytes that are no message. */
  receive(take: (message: Incoming) => Promise<void> | undefined, failed: (error: unknown) => void): void {
    this.socket.on('error', failed);
    watchLife(this.socket, LOOKS, () => failed(new RefusedError('The line to the server is dead.')));
    this.socket.on('message', (data) => {
      try {
        const bytes = bytesOf(data);
        if (bytes.length === 0) return;
        const message = decodeMessage(bytes);
        if (message.name === 'Ack') {
          this.acknowledgedAt = performance.now();
          this.window.acknowledged(message.value);
          return;
        }
        const acknowledge = (): void => this.acknowledge(message);
        const dealing = take(message);
        if (dealing === undefined) acknowledge();
        else dealing.then(acknowledge, failed);
      } catch (error) {
        failed(error);
      }
    });
    this.socket.resume();
  }

  /** Sends a message, and returns its size in bytes. */
  send<N extends MessageName>(name: N, value: MessageValue<N>): number {
    const bytes = encodeMessage(name, value, process.hrtime.bigint());
    if (this.socket.readyState !== WebSocket.OPEN) return bytes.length;
    if (this.socket.bufferedAmount > MAX_BUFFERED_BYTES) {
      this.socket.terminate();
      return bytes.length;
    }
    if (this.window.unacknowledgedBytes === 0) this.acknowledgedAt = performance.now();
    this.window.sent(bytes.length);
    this.socket.send(bytes, { binary: true });
    return bytes.length;
  }

  /** Waits until something new may be sent. @throws RefusedError when the viewer has stopped to acknowledge */
  async whenOpen(): Promise<void> {
    if (!(await this.window.whenOpen())) throw new RefusedError('The viewer has not acknowledged anything for 30 seconds.');
  }

  /** Sends what is waiting, and closes. */
  async close(): Promise<void> {
    this.window.close();
    if (this.socket.readyState === WebSocket.CLOSED) return;
    const timer = setTimeout(() => this.socket.terminate(), CLOSE_TIMEOUT_MS);
    const closed = this.ended;
    this.socket.close(1000);
    await closed;
    clearTimeout(timer);
  }

  private acknowledge({ size, sentAt }: Incoming): void {
    if (this.socket.readyState !== WebSocket.OPEN) return;
    this.socket.send(encodeMessage('Ack', { receivedSize: size, sendTimestamp: sentAt }, process.hrtime.bigint()), { binary: true });
  }
}

function bytesOf(data: RawData): Uint8Array {
  if (Array.isArray(data)) return Buffer.concat(data);
  return data instanceof ArrayBuffer ? new Uint8Array(data) : data;
}
