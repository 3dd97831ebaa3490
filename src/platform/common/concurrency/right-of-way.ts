import { Injectable } from '@nestjs/common';

/** Longest time that bulk work waits at once, in milliseconds: urgent work may never end. */
const MAXIMUM_WAIT_MS = 50;

/**
 * Lets bulk work wait between its steps while urgent work is under way. Otherwise each urgent step queues behind a bulk step, in this
 * process, in the database, and for the processor.
 */
@Injectable()
export class RightOfWay {
  private underWay = 0;
  private readonly waiting = new Set<() => void>();

  /** Begins urgent work. Each beginning needs its end. */
  begin(): void {
    this.underWay += 1;
  }

  /** Ends urgent work. */
  end(): void {
    this.underWay -= 1;
    if (this.underWay > 0) return;
    for (const proceed of this.waiting) proceed();
  }

  /** Resolves when no urgent work is under way, at the latest after `atMostMs`, and never later than after 50 ms. */
  async give(atMostMs: number): Promise<void> {
    if (this.underWay === 0) return;
    await new Promise<void>((resolve) => {
      const proceed = (): void => {
        clearTimeout(timer);
        this.waiting.delete(proceed);
        resolve();
      };
      const timer = setTimeout(proceed, Math.min(atMostMs, MAXIMUM_WAIT_MS));
      this.waiting.add(proceed);
    });
  }
}
