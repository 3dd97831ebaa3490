/** Lines that are kept. Of a longer file the end is shown, which has the newest lines. */
const MOST_LINES = 100_000;
/** Characters of a line that are kept. */
export const MOST_CHARACTERS = 10_000;

/** The text of a log file as it arrives, in lines. */
export class LogText {
  /** Lines that were given up at the beginning of the file. */
  dropped = 0;
  private kept: string[] = [];
  /** The last line, which may go on with the next piece. */
  private rest = '';

  constructor(private readonly mostLines = MOST_LINES) {}

  /** Takes the next piece of the file. */
  push(piece: string): void {
    const lines = `${this.rest}${piece}`.split('\n');
    this.rest = shortened(lines.pop() ?? '');
    for (const line of lines) this.kept.push(shortened(line.endsWith('\r') ? line.slice(0, -1) : line));
    const surplus = this.kept.length - this.mostLines;
    if (surplus <= 0) return;
    this.kept = this.kept.slice(surplus);
    this.dropped += surplus;
  }

  /** The lines so far, the unfinished one last. */
  get lines(): readonly string[] {
    return this.rest === '' ? [...this.kept] : [...this.kept, this.rest];
  }
}

const shortened = (line: string): string => (line.length > MOST_CHARACTERS ? `${line.slice(0, MOST_CHARACTERS)}…` : line);

/** The lines that contain a text, in upper or lower case. */
export function matching(lines: readonly string[], text: string): readonly string[] {
  const wanted = text.trim().toLowerCase();
  return wanted === '' ? lines : lines.filter((line) => line.toLowerCase().includes(wanted));
}
