/** A program or an update. */
export interface Program {
  readonly name: string;
  readonly version: string;
  readonly publisher?: string;
  readonly isSecurity?: boolean;
}

/** Most rows that are shown at a time: more is found by searching. */
export const MAXIMUM_ROWS = 200;

/** Those that contain every word of a text, in any case. */
export function programsWith(programs: readonly Program[], text: string): readonly Program[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return programs;
  return programs.filter(({ name, version, publisher = '' }) => {
    const all = `${name} ${version} ${publisher}`.toLowerCase();
    return words.every((word) => all.includes(word));
  });
}
