/**
 * Characters of one piece that count as a flood, which nobody reads as it passes. Typed text, its echo, and programs that redraw the whole
 * terminal come in smaller pieces.
 */
const FLOOD = 16_384;
/** Between two pieces of a flood: it is drawn twenty times a second. Drawing it more often takes the processor from reading it. */
const PAUSE_MS = 50;
/** With so many characters that it has not read yet, a terminal gets no more. It throws away what comes beyond 50 million. */
const MOST_UNREAD = 1_000_000;
/** Characters that wait at most. A hidden page reads a flood more slowly than it comes. */
const MOST_WAITING = 8_000_000;
/** Characters of them that are kept when there are more: the newest, and about as many as a terminal has lines for. */
const KEPT = 4_000_000;

/** Passes output on to a terminal: at once, but in a flood not more often than is worth drawing, and not more than it reads. */
export class PacedOutput {
  private waiting = '';
  private unread = 0;
  private pause: ReturnType<typeof setTimeout> | undefined;

  /** `write` calls back when the terminal has read the text. `gap` is printed in place of output that is left out. */
  constructor(
    private readonly write: (text: string, hasRead: () => void) => void,
    private readonly gap: string,
  ) {}

  print(text: string): void {
    if (this.pause !== undefined || this.unread >= MOST_UNREAD) {
      this.wait(text);
      return;
    }
    this.unread += text.length;
    this.write(text, () => {
      this.unread -= text.length;
      if (this.pause === undefined) this.goOn();
    });
    if (text.length >= FLOOD) this.pause = setTimeout(this.goOn, PAUSE_MS);
  }

  /** Nothing is written any more. */
  end(): void {
    clearTimeout(this.pause);
    this.waiting = '';
  }

  /** Of too much, the newest lines are kept. */
  private wait(text: string): void {
    this.waiting += text;
    if (this.waiting.length <= MOST_WAITING) return;
    const from = this.waiting.length - KEPT;
    this.waiting = this.gap + this.waiting.slice(Math.max(from, this.waiting.indexOf('\n', from) + 1));
  }

  private readonly goOn = (): void => {
    this.pause = undefined;
    const text = this.waiting;
    this.waiting = '';
    if (text !== '') this.print(text);
  };
}
