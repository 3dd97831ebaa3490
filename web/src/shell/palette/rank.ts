/** Ranks of a name for a typed text, the best first. */
const RANKS = {
  same: 0,
  begins: 1,
  wordBegins: 2,
  holds: 3,
  /** It was found by something else than its name. */
  other: 4,
} as const;

/** The rank of the name that matches a text best. */
export function rankOf(text: string, ...names: readonly (string | null | undefined)[]): number {
  const wanted = text.trim().toLowerCase();
  const ranks = names.map((name) => {
    const known = (name ?? '').toLowerCase();
    if (known === wanted) return RANKS.same;
    if (known.startsWith(wanted)) return RANKS.begins;
    if (known.split(/[^\p{L}\p{N}]+/u).some((word) => wanted !== '' && word.startsWith(wanted))) return RANKS.wordBegins;
    return known.includes(wanted) ? RANKS.holds : RANKS.other;
  });
  return Math.min(RANKS.other, ...ranks);
}

/** Things by how well their names fit a text. Those that fit alike keep their order. */
export const byRank = <T>(text: string, things: readonly T[], nameOf: (thing: T) => string): T[] =>
  things.toSorted((one, other) => rankOf(text, nameOf(one)) - rankOf(text, nameOf(other)));
