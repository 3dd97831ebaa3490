/** One or two letters that stand for a person: of the first and last word of the name, or of an address before its @. */
export function initialsOf(name: string): string {
  const words = name
    .replace(/@.*$/, '')
    .split(/[\s._-]+/)
    .filter(Boolean);
  const letters = [words[0], words.length > 1 ? words.at(-1) : undefined].map((word) => (word === undefined ? '' : firstLetter(word)));
  return letters.join('').toLocaleUpperCase() || '?';
}

/** The first sign of a word, whole even if it takes several code units. */
const firstLetter = (word: string): string => [...new Intl.Segmenter().segment(word)][0]?.segment ?? '';
