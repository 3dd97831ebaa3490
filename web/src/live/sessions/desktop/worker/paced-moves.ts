/** Shortest time between two moves of the pointer, in milliseconds. */
const PAUSE_MS = 25;

interface Place {
  readonly x: number;
  readonly y: number;
}

/** Sends the place of the pointer, at most every 25 ms: the newest, and always the last. */
export class PacedMoves {
  private next: Place | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly send: (place: Place) => void) {}

  move(place: Place): void {
    this.next = place;
    if (this.timer === undefined) this.flush();
  }

  /** Sends the place that waits: what follows happens there. */
  flush(): void {
    if (this.next === null) return;
    this.send(this.next);
    this.next = null;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.timer = undefined;
      this.flush();
    }, PAUSE_MS);
  }

  stop(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.next = null;
  }
}
