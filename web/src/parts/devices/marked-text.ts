/** A text around the part of it that was searched for: the text before, that part, and the text behind. Null if it has no such part. */
export function markedText(text: string, wanted: string): readonly [string, string, string] | null {
  const sought = wanted.trim().toLowerCase();
  const at = sought === '' ? -1 : text.toLowerCase().indexOf(sought);
  const end = at + sought.length;
  return at < 0 ? null : [text.slice(0, at), text.slice(at, end), text.slice(end)];
}
