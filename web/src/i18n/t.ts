import { textsIn } from './language.js';
import { pluralOf } from './format.js';
import type { Texts, Values } from './texts.js';

/*
 * The catalogue is `i18n/<language>/<area>.json`, one file an area, in i18next's JSON format: `{{name}}` stands for a value, and keys that end in
 * `_one`, `_other` and so on are the plural forms of `count`. English is part of the pages that show it; other languages are loaded at the start.
 */

type PluralForm = 'zero' | 'one' | 'two' | 'few' | 'many' | 'other';
/** The keys that callers use: plural forms count as one key. */
export type TextKey<T> = keyof T extends infer K ? (K extends `${infer Stem}_${PluralForm}` ? Stem : K & string) : never;

export type Translate<T> = (key: TextKey<T>, values?: Values) => string;

/** The texts of one area of the front end. */
export function textsOf<T extends Texts>(area: string, english: T): Translate<T> {
  return (key, values) => {
    return fill(find(textsIn(area, english), key, values) ?? find(english, key, values) ?? key, values);
  };
}

function find(texts: Texts, key: string, values: Values | undefined): string | undefined {
  if (typeof values?.count === 'number') {
    const plural = texts[`${key}_${pluralOf(values.count)}`] ?? texts[`${key}_other`];
    if (plural !== undefined) return plural;
  }
  return texts[key];
}

function fill(text: string, values: Values | undefined): string {
  if (values === undefined) return text;
  return text.replace(/\{\{(\w+)\}\}/g, (whole, name: string) => {
    const value = values[name];
    if (value === undefined) return whole;
    return typeof value === 'number' ? value.toLocaleString() : value;
  });
}
