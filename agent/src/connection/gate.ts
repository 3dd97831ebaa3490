/** Callers pass while it is open and wait while it is closed. It starts closed. */
export class Gate {
  private isPassable = false;
  private waiting: (() => void)[] = [];

  get isOpen(): boolean {
    return this.isPassable;
  }

  open(): void {
    this.isPassable = true;
    const ready = this.waiting;
    this.waiting = [];
    for (const resolve of ready) resolve();
  }

  close(): void {
    this.isPassable = false;
  }

  /** Resolves when the gate is open. */
  async passed(): Promise<void> {
    if (!this.isPassable) await new Promise<void>((resolve) => this.waiting.push(resolve));
  }
}
