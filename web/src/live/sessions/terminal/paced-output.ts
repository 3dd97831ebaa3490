/**
 * Characters of one piece that count as a flood, which nobody reads as it passes. Typed text, its echo, and programs that redraw the whole
 * terminal come in smaller pieces.
 */
const FLOOD = 16_384;
/** Between two pieces of a flood: it is drawn twenty times a second. Drawing it more often takes the processor from reading it. */
const PAUSE_MS = 50;

/** Passes output on to a terminal: at once, but in a flood not more often than is worth drawing. Nothing is lost, and all keeps its order. */
export class PacedOutput {
  private waiting = '';
  private pause: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly write: (text: string) => void) {}

  print(text: string): void {
    if (this.pause !== undefined) {
      this.waiting += text;
      return;
    }
    this.write(text);
    if (text.length >= FLOOD) this.pause = setTimeout(this.goOn, PAUSE_MS);
  }

  /** Nothing is written any more. */
  end(): void {
    clearTimeout(this.pause);
    this.waiting = '';
  }

  private readonly goOn = (): void => {
    this.pause = undefined;
    const text = this.waiting;
    this.waiting = '';
    if (text !== '') this.print(text);
  };
}
