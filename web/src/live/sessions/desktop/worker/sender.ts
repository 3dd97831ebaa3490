import { encodeMessage, type MessageName, type MessageValue, SendWindow } from '#libs/desktop-stream';

/** Time on this side's clock, in microseconds: acknowledgements bring it back. */
const now = (): bigint => BigInt(Math.round(performance.now() * 1000));

const MICROSECONDS = 1000;

/** Sends messages to the device, not more than it acknowledges. */
export class Sender {
  private readonly window = new SendWindow(now);
  private waiting: Promise<unknown> = Promise.resolve();
  private waitingMessages = 0;

  constructor(
    private readonly write: (bytes: Uint8Array) => void,
    /** The device has stopped to acknowledge. */
    private readonly onSilence: () => void,
  ) {}

  /** True if the device has not dealt with what it got: moves of the pointer are left out. */
  get isBusy(): boolean {
    return this.waitingMessages > 0 || this.window.isFull;
  }

  /** Time from sending to the last acknowledgement, in milliseconds; null before the first one. */
  get latencyMs(): number | null {
    return this.window.latency === null ? null : Number(this.window.latency) / MICROSECONDS;
  }

  /** Sends a message, after those that wait. */
  send<N extends MessageName>(name: N, value: MessageValue<N>): void {
    if (!this.isBusy) return this.sendNow(name, value);
    this.waitingMessages += 1;
    this.waiting = this.waiting.then(async () => {
      const isOpen = await this.window.whenOpen();
      this.waitingMessages -= 1;
      if (isOpen) this.sendNow(name, value);
      else this.onSilence();
    });
  }

  /** Acknowledges a message. */
  acknowledge(receivedSize: number, sendTimestamp: bigint): void {
    this.write(encodeMessage('Ack', { receivedSize, sendTimestamp }, now()));
  }

  acknowledged(ack: MessageValue<'Ack'>): void {
    this.window.acknowledged(ack);
  }

  close(): void {
    this.window.close();
  }

  private sendNow<N extends MessageName>(name: N, value: MessageValue<N>): void {
    const bytes = encodeMessage(name, value, now());
    this.window.sent(bytes.length);
    this.write(bytes);
  }
}
