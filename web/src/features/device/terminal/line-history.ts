/** The lines that were run, and where in them the user is. */
export interface LineHistory {
  readonly lines: readonly string[];
  /** `lines.length` is the line that is being typed. */
  readonly position: number;
}

const MOST = 200;

export const EMPTY_HISTORY: LineHistory = { lines: [], position: 0 };

/** The history after a line was run. A line that is run twice in a row is stored once. */
export function withLine({ lines }: LineHistory, line: string): LineHistory {
  const next = line.trim() === '' || lines.at(-1) === line ? lines : [...lines, line].slice(-MOST);
  return { lines: next, position: next.length };
}

/** One line up (-1) or down (1). Null at either end. */
export function moved({ lines, position }: LineHistory, step: -1 | 1): { readonly history: LineHistory; readonly line: string } | null {
  const next = position + step;
  if (next < 0 || next > lines.length) return null;
  return { history: { lines, position: next }, line: lines[next] ?? '' };
}

/** A line in which a completion has taken the place of a part, and where the cursor is then. */
export function completed(line: string, index: number, length: number, text: string): { readonly line: string; readonly cursor: number } {
  const start = Math.min(Math.max(0, index), line.length);
  return { line: line.slice(0, start) + text + line.slice(start + Math.max(0, length)), cursor: start + text.length };
}
