/*
 * Line ends of a file. A field of a page knows only `\n`; what the file has is put back when it is saved.
 */

export type LineEnd = '\n' | '\r\n' | '\r';

/** Ends of the lines of a text, in their order. The last line has none. */
export const lineEndsOf = (text: string): LineEnd[] => (text.match(/\r\n|\n|\r/g) ?? []) as LineEnd[];

/** The text as a field shows it. */
export const shownText = (text: string): string => text.replaceAll(/\r\n|\r/g, '\n');

/** The end that most lines have; of a text without any, that of the system of the device. */
export function usualEnd(text: string, without: LineEnd): LineEnd {
  const counts = new Map<LineEnd, number>();
  for (const end of lineEndsOf(text)) counts.set(end, (counts.get(end) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0] ?? without;
}

/**
 * The edited text with the line ends of the original one: lines before and after the change keep theirs, lines in it get the usual one. A
 * file in which they are mixed is thereby not changed elsewhere.
 */
export function withLineEnds(edited: string, original: string, without: LineEnd): string {
  const usual = usualEnd(original, without);
  const ends = lineEndsOf(original);
  const [before, after] = [shownText(original).split('\n'), edited.split('\n')];
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && before[head] === after[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
  const shift = before.length - after.length;
  // Of lines that took the place of others, the last ends as the last of those did.
  const kept = after.length - tail - (before.length - tail > head ? 1 : 0);
  return after
    .map((line, index) => {
      if (index === after.length - 1) return line;
      const end = index < head ? ends[index] : index >= kept ? ends[index + shift] : usual;
      return line + (end ?? usual);
    })
    .join('');
}
