import type { Completions } from '../../../live/sessions/terminal/terminal-session.js';
import { completed } from './line-history.js';

/** A line with the place of its cursor. */
export interface LineAt {
  readonly line: string;
  readonly cursor: number;
}

/** Completes the line of a shell. Requests one after another go through the completions of the same line. */
export class LineCompletion {
  /** The line as it was before the first request. */
  private asked: LineAt | null = null;

  constructor(private readonly ask: (line: string, cursor: number, forward: boolean) => Promise<Completions | null>) {}

  /** The line has become another one: the next request is about that, and an answer that is still to come is not. */
  forget(): void {
    this.asked = null;
  }

  /** The next completion, or the one before; null if there is none, and if the line has become another one since it was asked for. */
  async next(shown: LineAt, forward: boolean): Promise<LineAt | null> {
    const asked = (this.asked ??= shown);
    const completions = await this.ask(asked.line, asked.cursor, forward);
    const match = completions?.completionMatches.at(0);
    // Devices answer late: what was typed since must not be lost.
    if (completions === null || match === undefined || asked !== this.asked) return null;
    return completed(asked.line, completions.replacementIndex, completions.replacementLength, match.completionText);
  }
}
