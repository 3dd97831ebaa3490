/** Maximum number of characters behind a common password that do not make it a good one: a year, `123`, `1!`. */
const MAX_SUFFIX = 4;
/** Shortest common password that counts with something behind it. */
const MIN_STEM = 4;
const ENDS_IN_LETTER = /\p{L}$/u;
/** Signs that stand for letters. */
const SIGN = /[013457@$!]/g;
const LETTERS: Readonly<Record<string, string>> = { 0: 'o', 1: 'i', 3: 'e', 4: 'a', 5: 's', 7: 't', '@': 'a', $: 's', '!': 'i' };

let list: Promise<ReadonlySet<string>> | undefined;

/**
 * Checks whether a password is one of 49,000 that many people use: in any case, with signs for letters (`P@ssw0rd`), or with up to four
 * digits or signs behind it (`Sunshine2024`). The list is loaded on the first call, because it takes some megabytes.
 */
export async function isCommonPassword(password: string): Promise<boolean> {
  list ??= import('@zxcvbn-ts/language-common').then(({ dictionary }) => new Set(dictionary['passwords-common']));
  const common = await list;
  return stemsOf(password.toLowerCase()).some((stem) => common.has(stem) || common.has(stem.replaceAll(SIGN, (sign) => LETTERS[sign])));
}

/** Returns the text, and its rest without one to four digits or signs at its end. */
function stemsOf(text: string): string[] {
  const stems = [text];
  for (let length = text.length; length > Math.max(text.length - MAX_SUFFIX, MIN_STEM); length -= 1) {
    if (ENDS_IN_LETTER.test(text.slice(0, length))) break;
    stems.push(text.slice(0, length - 1));
  }
  return stems;
}
