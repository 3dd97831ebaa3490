import type { Texts } from './texts.js';

/** Every language that can be chosen. `en-XA` is a pseudo-language that shows texts which are not in the catalogue or do not fit. */
export const LANGUAGES = { en: 'English', 'en-XA': 'Ŧéšţ' } as const;
export type Language = keyof typeof LANGUAGES;

let current: Language = 'en';
let translate: ((area: string, english: Texts) => Texts) | null = null;

/** The texts of an area in the chosen language. */
export const textsIn = (area: string, english: Texts): Texts => translate?.(area, english) ?? english;

/** The locale in which numbers and dates are written. English leaves that to the browser's own regional settings. */
export const locale = (): string | undefined => (current === 'en' ? undefined : 'en');

/** The language that this browser has chosen, as the page found it at its start. */
export function chosenLanguage(): Language {
  const { language = '' } = document.documentElement.dataset;
  return language in LANGUAGES ? (language as Language) : 'en';
}

/** Loads a language before the first text is shown. */
export async function loadLanguage(language: Language): Promise<void> {
  current = language;
  document.documentElement.lang = 'en';
  translate = language === 'en-XA' ? (await import('./pseudo.js')).pseudoTexts : null;
}
