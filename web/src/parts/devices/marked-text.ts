/** Signs that have a meaning in a pattern. */
const SIGNS = /[$()*+./?[\\\]^{|}]/g;

/** A text around the part of it that was searched for: the text before, that part, and the text behind. Null if it has no such part. */
export function markedText(text: string, wanted: string): readonly [string, string, string] | null {
  const sought = wanted.trim();
  // Texts in lower case may have other lengths.
  const found = sought === '' ? null : new RegExp(sought.replaceAll(SIGNS, String.raw`\$&`), 'iu').exec(text);
  if (found === null) return null;
  const end = found.index + found[0].length;
  return [text.slice(0, found.index), text.slice(found.index, end), text.slice(end)];
}
