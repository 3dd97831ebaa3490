/** Number of `--series-N` colours in `tokens.css`. */
export const SERIES = 6;

/** The colour of a name, from 1: the same name has the same colour everywhere, and nobody has to choose one. */
export function seriesOf(name: string): number {
  // FNV-1a: short, and spreads short names well.
  let hash = 0x81_1c_9d_c5;
  for (const character of name.trim().toLowerCase()) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01_00_01_93);
  return ((hash >>> 0) % SERIES) + 1;
}
