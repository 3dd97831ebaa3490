import { LONGEST_TEXT } from '../../model/user-storage-limit.js';
import { type Language, LANGUAGES } from '../../i18n/language.js';

/*
 * Preferences of users, as a text: of the browser and of the service.
 */

/** Every preference with the values that it can have. The first one is the usual one. */
export const PREFERENCES = {
  theme: ['system', 'light', 'dark'],
  density: ['comfortable', 'compact'],
  /** Turns off all movement, beyond what the system asks for. */
  motion: ['full', 'reduced'],
  language: Object.keys(LANGUAGES) as [Language, ...Language[]],
  /** Makes single letters and signs shortcuts. */
  singleKeys: ['on', 'off'],
  /** Tab in which a list opens a device. */
  deviceTab: ['same', 'new'],
  /** The ground of terminals: always dark, or that of the theme. */
  terminals: ['dark', 'theme'],
} as const;

type Values = typeof PREFERENCES;
export type Preferences = { readonly [Name in keyof Values]: Values[Name][number] };
export type SomePreferences = Partial<Preferences>;

const NAMES = Object.keys(PREFERENCES) as (keyof Preferences)[];
const USUAL = Object.fromEntries(NAMES.map((name) => [name, PREFERENCES[name][0]])) as unknown as Preferences;

/** All preferences: the usual ones, but for these. */
export const allPreferences = (some: SomePreferences | null): Preferences => ({ ...USUAL, ...some });

/** Preferences in a text, without unknown names and values; null for a text that holds none. */
export function readPreferences(text: string | null): SomePreferences | null {
  const values = valuesIn(text);
  return values === null ? null : preferencesIn(values);
}

/** Those of some values that are preferences. */
export function preferencesIn(values: object): SomePreferences {
  const known = Object.entries(values).filter(
    ([name, value]) => Object.hasOwn(PREFERENCES, name) && isValueOf(name as keyof Preferences, value),
  );
  return Object.fromEntries(known);
}

const isValueOf = (name: keyof Preferences, value: unknown): boolean => (PREFERENCES[name] as readonly unknown[]).includes(value);

/**
 * The stored text with the changes: a preference that another page has changed stays, even if only its version knows it. If nothing is
 * stored yet, the user gets all that they see.
 */
export function withChanges(stored: string | null, seen: Preferences, changes: SomePreferences): string {
  const values = valuesIn(stored);
  if (values === null) return JSON.stringify({ ...seen, ...changes });
  const text = JSON.stringify({ ...values, ...changes });
  return text.length <= LONGEST_TEXT ? text : JSON.stringify({ ...preferencesIn(values), ...changes });
}

function valuesIn(text: string | null): object | null {
  try {
    const values: unknown = JSON.parse(text ?? 'null');
    return typeof values === 'object' && !Array.isArray(values) ? values : null;
  } catch {
    return null;
  }
}
