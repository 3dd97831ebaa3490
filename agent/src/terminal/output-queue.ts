import type { Log } from '../logs/log.js';

const HIGH_WATER_LENGTH = 256 * 1024;
const LOW_WATER_LENGTH = 64 * 1024;

/** Sends outputs in order, each after the server has accepted the one before, and reports when too many wait. */
export class OutputQueue<T extends { readonly output: string }> {
  private readonly waiting: T[] = [];
  private waitingLength = 0;
  private isSending = false;
  private isCongested = false;

  constructor(
    private readonly send: (item: T) => Promise<void>,
    /** Called with true when producers should pause and with false when they may continue. */
    private readonly onCongestion: (isCongested: boolean) => void,
    private readonly log: Log,
  ) {}

  push(item: T): void {
    this.waiting.push(item);
    this.waitingLength += item.output.length;
    if (!this.isCongested && this.waitingLength > HIGH_WATER_LENGTH) {
      this.isCongested = true;
      this.onCongestion(true);
    }
    if (!this.isSending) void this.sendAll();
  }

  private async sendAll(): Promise<void> {
    this.isSending = true;
    for (let item = this.waiting.shift(); item !== undefined; item = this.waiting.shift()) {
      try {
        await this.send(item);
      } catch (error) {
        this.log.error('Terminal output was lost.', error);
      }
      this.waitingLength -= item.output.length;
      if (this.isCongested && this.waitingLength <= LOW_WATER_LENGTH) {
        this.isCongested = false;
        this.onCongestion(false);
      }
    }
    this.isSending = false;
  }
}
