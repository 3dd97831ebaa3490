import { isPressed, type Pressed } from './keys.js';

/*
 * Tables of shortcuts: an id, and the keys that mean it, any of several. Keys are written as `Kbd` takes them.
 */

export type ShortcutTable = Readonly<Record<string, readonly string[]>>;

export const isMac = typeof navigator !== 'undefined' && /Mac|iPhone|iPad/.test(navigator.userAgent);

/** True if single letters and signs are shortcuts. Users who control their computer by speech, or hit keys by accident, switch them off. */
export const singleKeysAreOn = (): boolean => document.documentElement.dataset.singleKeys !== 'off';

/** A key that types something where one can type. */
export const isSingleKey = (keys: string): boolean => keys.length === 1;

/** Returns the shortcut of a table that a key stroke means; undefined if none. */
export function shortcutOf<T extends ShortcutTable>(table: T, pressed: Pressed): (keyof T & string) | undefined {
  const single = singleKeysAreOn();
  return Object.keys(table).find((id) => table[id]?.some((keys) => (single || !isSingleKey(keys)) && isPressed(keys, pressed, isMac)));
}
