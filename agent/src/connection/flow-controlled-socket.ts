import { WebSocket, type ClientOptions } from 'ws';
import { SendWindow } from './send-window.js';

/** Senders wait while more bytes than this are buffered. */
const HIGH_WATER_BYTES = 1024 * 1024;
/** Senders continue when no more bytes than this are buffered. */
const LOW_WATER_BYTES = 256 * 1024;
/** Time-out of the upgrade, in milliseconds. */
const HANDSHAKE_TIMEOUT_MS = 15_000;
/** Largest message from the server. Stream items are the largest: a file chunk in base64 is below 128 KiB. */
const MAX_MESSAGE_BYTES = 4 * 1024 * 1024;

/**
 * A WebSocket with flow control. All senders wait until earlier bytes have left this process, which keeps memory flat however
 * slow the network is. Streams also wait until the other end has read enough of them, so that they do not delay other messages.
 * WebSocket pings mark positions in the stream: a server answers a ping once it has read up to it.
 */
export class FlowControlledSocket extends WebSocket {
  private readonly window = new SendWindow();
  private waiting: (() => void)[] = [];
  private firstFault: Error | undefined;
  private pauses = 0;

  constructor(address: string | URL, protocols: string | string[] | undefined, options: ClientOptions) {
    super(address, protocols, {
      ...options,
      perMessageDeflate: false,
      handshakeTimeout: HANDSHAKE_TIMEOUT_MS,
      maxPayload: MAX_MESSAGE_BYTES,
    });
    this.once('close', () => this.wake());
    this.once('open', () => this.mark());
    this.on('pong', (position) => {
      this.window.returned(Number(position), performance.now());
      this.mark();
      this.wake();
    });
    this.on('error', (error) => (this.firstFault ??= error));
  }

  /** The error that broke the socket, if there was one. */
  get fault(): Error | undefined {
    return this.firstFault;
  }

  /** Reads nothing more until each call was followed by a `resume`: the readers of several streams share the socket. */
  override pause(): void {
    this.pauses += 1;
    super.pause();
  }

  override resume(): void {
    this.pauses -= 1;
    if (this.pauses === 0) super.resume();
  }

  override send(data: string | Uint8Array): void {
    this.window.add(data.length);
    super.send(data, (error) => {
      if (error !== undefined || this.bufferedAmount <= LOW_WATER_BYTES) this.wake();
    });
  }

  /** Resolves when there is room for more, or the socket is no longer open. */
  async room(): Promise<void> {
    if (this.readyState !== WebSocket.OPEN || this.bufferedAmount <= HIGH_WATER_BYTES) return;
    await this.woken();
  }

  /** Resolves when a stream may send its next item, or the socket is no longer open. */
  async roomForItem(): Promise<void> {
    await this.room();
    this.mark();
    while (this.readyState === WebSocket.OPEN && this.window.isFull) await this.woken();
  }

  private mark(): void {
    if (this.readyState !== WebSocket.OPEN) return;
    const position = this.window.nextMark(performance.now());
    if (position !== undefined) this.ping(String(position));
  }

  private async woken(): Promise<void> {
    await new Promise<void>((resolve) => this.waiting.push(resolve));
  }

  private wake(): void {
    const ready = this.waiting;
    this.waiting = [];
    for (const resolve of ready) resolve();
  }
}
