import { WebSocket, type ClientOptions } from 'ws';

/** Senders wait while more than this is on its way. */
const HIGH_WATER_BYTES = 1024 * 1024;
/** Senders go on when no more than this is on its way. */
const LOW_WATER_BYTES = 256 * 1024;
/** Until the upgrade is answered. */
const HANDSHAKE_TIMEOUT_MS = 15_000;
/** The server's messages are small but for stream items; a file chunk in base64 is below 128 KiB. */
const MAX_MESSAGE_BYTES = 4 * 1024 * 1024;

/** A WebSocket that lets a sender wait until what it has sent has left, which keeps memory flat however slow the network is. */
export class FlowControlledSocket extends WebSocket {
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
    this.on('error', (error) => (this.firstFault ??= error));
  }

  /** What broke the socket, if anything did. */
  get fault(): Error | undefined {
    return this.firstFault;
  }

  override send(data: string | Uint8Array): void {
    super.send(data, (error) => {
      if (error !== undefined || this.bufferedAmount <= LOW_WATER_BYTES) this.wake();
    });
  }

  /** Resolves when there is room for more, or the socket is no longer open. */
  async room(): Promise<void> {
    if (this.readyState !== WebSocket.OPEN || this.bufferedAmount <= HIGH_WATER_BYTES) return;
    await new Promise<void>((resolve) => this.waiting.push(resolve));
  }

  private wake(): void {
    const ready = this.waiting;
    this.waiting = [];
    for (const resolve of ready) resolve();
  }
}
