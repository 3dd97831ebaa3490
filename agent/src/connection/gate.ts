/** Callers pass while it is open and wait while it is closed. It starts closed. */
export class Gate {
  private isOpen = false;
  private waiting: (() => void)[] = [];

  open(): void {
    this.isOpen = true;
    const ready = this.waiting;
    this.waiting = [];
    for (const resolve of ready) resolve();
  }

  close(): void {
    this.isOpen = false;
  }

  /** Resolves when the gate is open. */
  async passed(): Promise<void> {
    if (!this.isOpen) await new Promise<void>((resolve) => this.waiting.push(resolve));
  }
}
