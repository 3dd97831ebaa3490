/** Most letters in which a misspelt name may differ from the one that was meant. */
const MAX_DISTANCE = 3;

/** The name that a misspelt one was probably meant to be, letters in any case. */
export function nearestName(name: string, candidates: readonly string[]): string | undefined {
  let nearest: string | undefined;
  let least = MAX_DISTANCE + 1;
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - name.length) > MAX_DISTANCE) continue;
    const distance = editDistance(name.toLowerCase(), candidate.toLowerCase());
    if (distance < least) [nearest, least] = [candidate, distance];
  }
  return nearest;
}

/** The number of letters to insert, remove or replace to turn one text into the other (Levenshtein). */
function editDistance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, column) => column);
  for (let line = 1; line <= one.length; line++) {
    const next = [line];
    for (let column = 1; column <= other.length; column++) {
      const replaced = (row[column - 1] ?? 0) + (one[line - 1] === other[column - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[other.length] ?? 0;
}
