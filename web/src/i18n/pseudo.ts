import type { Texts } from './t.js';

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

/** A text with accents, a third longer, in brackets: what is cut or was never translated is seen at once. */
export function pseudoText(text: string): string {
  const accented = text
    .split(/(\{\{\w+\}\})/)
    .map((part) => (part.startsWith('{{') ? part : part.replace(/[a-zA-Z]/g, (letter) => ACCENTED[letter] ?? letter)))
    .join('');
  return `[${accented}${'~'.repeat(Math.ceil(text.length / 3))}]`;
}

/** The whole catalogue in the pseudo-language. */
export function pseudoTexts(): Record<string, Texts> {
  const areas = import.meta.glob<Texts>('./en/*.json', { eager: true, import: 'default' });
  return Object.fromEntries(
    Object.entries(areas).map(([path, texts]) => [
      path.replace(/^\.\/en\/|\.json$/g, ''),
      Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, pseudoText(text)])),
    ]),
  );
}
