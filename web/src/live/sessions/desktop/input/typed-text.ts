/** A change of a text: characters that are gone from its end, and those that follow then. */
export interface TextChange {
  readonly removed: number;
  readonly inserted: string;
}

/** Scripts whose characters a keyboard composes from others: they are final only when it says so. */
const COMPOSED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}]/u;

/** The change of a text, as keys at its end make it. */
export function changeOf(before: string, after: string): TextChange {
  const [old, now] = [[...before], [...after]];
  let same = 0;
  while (same < old.length && old[same] === now[same]) same += 1;
  return { removed: old.length - same, inserted: now.slice(same).join('') };
}

/** True if a text that is being composed may still become another one altogether. */
export const isUnfinished = (text: string): boolean => COMPOSED.test(text);
