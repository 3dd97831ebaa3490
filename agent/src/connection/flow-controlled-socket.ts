import { WebSocket, type ClientOptions } from 'ws';
import { SendWindow } from './send-window.js';

/** Senders wait while more than this is on its way. */
const HIGH_WATER_BYTES = 1024 * 1024;
/** Senders go on when no more than this is on its way. */
const LOW_WATER_BYTES = 256 * 1024;
/** Until the upgrade is answered. */
const HANDSHAKE_TIMEOUT_MS = 15_000;
/** The server's messages are small but for stream items; a file chunk in base64 is below 128 KiB. */
const MAX_MESSAGE_BYTES = 4 * 1024 * 1024;

/**
 * A WebSocket that lets senders wait: until what was sent has left, which keeps memory flat however slow the network is; and
 * streams also until enough of it was taken at the other end, so that they do not hold up everything else. The marks of
 * their window are WebSocket pings, which every server answers as soon as it has read so far.
 */
export class FlowControlledSocket extends WebSocket {
  private readonly window = new SendWindow();
  private waiting: (() => void)[] = [];
  private firstFault: Error | undefined;

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

  /** What broke the socket, if anything did. */
  get fault(): Error | undefined {
    return this.firstFault;
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
