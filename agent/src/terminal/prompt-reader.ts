/** The output of a line-mode shell, parsed. */
export type ShellEvent =
  | { readonly kind: 'output'; readonly text: string }
  /** The shell waits for the next command. */
  | { readonly kind: 'prompt'; readonly exitCode: number; readonly directory: string }
  /** The shell waits for the rest of a command. */
  | { readonly kind: 'continuation' };

/** Longest prompt. Longer text cannot be a prompt, because paths are shorter. */
const MAX_PROMPT_LENGTH = 40_000;

/**
 * Finds the prompts in the output of a shell whose prompt carries a secret token: `<<token:exit code:directory:token>>`, or
 * `<<token+>>` in the middle of a command. Prompts may arrive in pieces. Line ends become `\n`.
 */
export class PromptReader {
  private readonly prompt: RegExp;
  private readonly opening: string;
  private pending = '';

  constructor(token: string) {
    // The name of a directory may have line ends.
    this.prompt = new RegExp(`<<${token}(?:\\+>>|:(\\d+):((?:(?!<<${token})[^])*?):${token}>>)`);
    this.opening = `<<${token}`;
  }

  /** Parses more output. Text that may be the start of a prompt is held back until the rest arrives. */
  read(text: string): ShellEvent[] {
    this.pending += text;
    const events: ShellEvent[] = [];
    for (let match = this.prompt.exec(this.pending); match !== null; match = this.prompt.exec(this.pending)) {
      pushOutput(events, this.pending.slice(0, match.index));
      const [whole, exitCode, directory] = match;
      events.push(
        exitCode === undefined
          ? { kind: 'continuation' }
          : { kind: 'prompt', exitCode: Number(exitCode), directory: withLineFeeds(directory) },
      );
      this.pending = this.pending.slice(match.index + whole.length);
    }
    const held = this.heldLength();
    pushOutput(events, this.pending.slice(0, this.pending.length - held));
    this.pending = held === 0 ? '' : this.pending.slice(-held);
    return events;
  }

  private heldLength(): number {
    const start = this.pending.lastIndexOf(this.opening);
    if (start !== -1 && this.pending.length - start < MAX_PROMPT_LENGTH) return this.pending.length - start;
    for (let length = Math.min(this.opening.length - 1, this.pending.length); length > 0; length--) {
      if (this.opening.startsWith(this.pending.slice(-length))) return length;
    }
    // The carriage return may be the first half of a line end.
    return this.pending.endsWith('\r') ? 1 : 0;
  }
}

function pushOutput(events: ShellEvent[], text: string): void {
  if (text !== '') events.push({ kind: 'output', text: withLineFeeds(text) });
}

/** A terminal puts a carriage return before each line feed. */
function withLineFeeds(text: string): string {
  return text.replaceAll('\r\n', '\n');
}
