/*
 * The room that tags take in a line, in pixels. It is estimated from the numbers of characters: measuring the texts of every row would
 * make scrolling slow.
 */

/** Width of a character of the text before the tags, and of a tag. */
const TEXT_CHARACTER = 7.6;
const TAG_CHARACTER = 6.8;
/** Most characters of a tag that are shown. */
const MOST_CHARACTERS = 20;
/** Width of a tag without its characters, with the gap before it. */
const FRAME = 18;
/** Width of the number of the tags that have no room. */
const MORE = 38;
/** Tags that are shown at most, in a line of any width. */
const MOST_TAGS = 3;
/** A width that no line has. */
const ANY_WIDTH = 9999;

interface Room {
  /** The tags, each with the narrowest line that shows it. */
  readonly tags: readonly { readonly name: string; readonly from: number }[];
  /** Numbers of the tags that are not shown, each with the lines that show it. */
  readonly more: readonly { readonly count: number; readonly from: number; readonly to: number }[];
}

/** Divides a line between a text and the tags behind it. */
export function roomFor(text: string, names: readonly string[]): Room {
  const shown = names.slice(0, MOST_TAGS);
  let end = text.length * TEXT_CHARACTER;
  const froms = shown.map((name, at) => {
    end += Math.min(name.length, MOST_CHARACTERS) * TAG_CHARACTER + FRAME;
    return Math.ceil(end + (at + 1 < names.length ? MORE : 0));
  });
  const more = [0, ...froms].map((from, at) => ({ count: names.length - at, from, to: froms[at] ?? ANY_WIDTH }));
  return { tags: shown.map((name, at) => ({ name, from: froms[at] ?? ANY_WIDTH })), more: more.filter(({ count }) => count > 0) };
}
