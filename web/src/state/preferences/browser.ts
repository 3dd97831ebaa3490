import { useMemo } from 'react';

import { allPreferences, type Preferences, readPreferences } from './preferences.js';
import { store } from '../store.js';

/*
 * The preferences that this browser shows. It keeps them, so that `theme.js` has them before the first paint: the page finds them as data of
 * its root element.
 */

const KEY = 'preferences';

const kept = (): string | null => localStorage.getItem(KEY);
/** They are the browser's: the next user finds them. */
const shown = store(kept(), 'stays');
const read = (text: string | null): Preferences => allPreferences(readPreferences(text));

/** The preferences that all pages of this browser show. */
export const shownPreferences = (): Preferences => read(kept());

/** Shows preferences at once, in all pages of this browser. Only another language waits until the page is reloaded. */
export function showPreferences(preferences: Preferences): void {
  localStorage.setItem(KEY, JSON.stringify(preferences));
  show();
}

function show(): void {
  Object.assign(document.documentElement.dataset, shownPreferences());
  shown.set(kept());
}

/** Calls `listener` at every change, until the returned function is called. */
export const onPreferences = shown.subscribe;

/** The preferences that this browser shows now. */
export function usePreferences(): Preferences {
  const text = shown.useValue();
  return useMemo(() => read(text), [text]);
}

// Another page of this browser has changed them.
addEventListener('storage', ({ key }) => {
  if (key === KEY) show();
});
