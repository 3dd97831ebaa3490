import type { Log } from '../logs/log.js';
import { firstPiece } from './output-text.js';

const HIGH_WATER_LENGTH = 256 * 1024;
const LOW_WATER_LENGTH = 64 * 1024;

/**
 * Sends outputs in order and in pieces that fit a message, each after the server has accepted the one before, and reports when too much
 * waits. Output of a flood while a message is under way waits as one: a terminal hands out 4 kB at a time, and a message for each
 * of them would take several times as long.
 */
export class OutputQueue<T extends { readonly output: string }> {
  private readonly waiting: T[] = [];
  private waitingLength = 0;
  private isSending = false;
  private isCongested = false;

  constructor(
    private readonly send: (item: T) => Promise<void>,
    /** Returns true if viewers cannot tell two outputs in a row from one. */
    private readonly canJoin: (earlier: T, later: T) => boolean,
    /** Called with true when producers should pause and with false when they may continue. */
    private readonly onCongestion: (isCongested: boolean) => void,
    private readonly log: Log,
  ) {}

  /** True while producers should pause. */
  get isFull(): boolean {
    return this.isCongested;
  }

  push(item: T): void {
    this.append(item);
    this.waitingLength += item.output.length;
    if (!this.isCongested && this.waitingLength > HIGH_WATER_LENGTH) {
      this.isCongested = true;
      this.onCongestion(true);
    }
    if (!this.isSending) void this.sendAll();
  }

  private append(item: T): void {
    const last = this.waiting.at(-1);
    if (last !== undefined && this.canJoin(last, item)) {
      this.waiting[this.waiting.length - 1] = { ...last, output: last.output + item.output };
    } else this.waiting.push(item);
  }

  private async sendAll(): Promise<void> {
    this.isSending = true;
    for (let item = this.next(); item !== undefined; item = this.next()) {
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

  /** Takes the output that fits the next message. */
  private next(): T | undefined {
    const item = this.waiting.shift();
    if (item === undefined) return undefined;
    const piece = firstPiece(item.output);
    if (piece === item.output) return item;
    this.waiting.unshift({ ...item, output: item.output.slice(piece.length) });
    return { ...item, output: piece };
  }
}
