import type { Texts } from './texts.js';

const ACCENTED: Readonly<Record<string, string>> = {
  a: 'á',
  c: 'ç',
  e: 'é',
  i: 'í',
  n: 'ñ',
  o: 'ö',
  s: 'š',
  t: 'ţ',
  u: 'ü',
  y: 'ý',
  A: 'Å',
  C: 'Ç',
  D: 'Ð',
  E: 'É',
  N: 'Ñ',
  O: 'Ö',
  S: 'Š',
  T: 'Ŧ',
};

/** A text with accents, a third longer, in brackets: a cut or untranslated text is seen at once. */
export function pseudoText(text: string): string {
  const accented = text
    .split(/(\{\{\w+\}\})/)
    .map((part) => (part.startsWith('{{') ? part : part.replace(/[a-zA-Z]/g, (letter) => ACCENTED[letter] ?? letter)))
    .join('');
  // In pieces, between which lines can break as between words.
  const padding = '~'.repeat(Math.ceil(text.length / 3)).replaceAll(/~{6}(?=~)/g, '$& ');
  return `[${accented}${padding}]`;
}

const translated = new Map<string, Texts>();

/** The texts of an area in the pseudo-language. */
export function pseudoTexts(area: string, english: Texts): Texts {
  const texts = translated.get(area) ?? Object.fromEntries(Object.entries(english).map(([key, text]) => [key, pseudoText(text)]));
  translated.set(area, texts);
  return texts;
}
