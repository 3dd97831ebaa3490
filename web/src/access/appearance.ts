/*
 * How this browser shows the pages. It is kept in the browser, so that `theme.js` can apply it before the first paint.
 */

export type Theme = 'system' | 'light' | 'dark';

export interface Appearance {
  readonly theme: Theme;
  readonly density: 'comfortable' | 'compact';
  /** Whether everything that moves is off, beyond what the system asks for. */
  readonly motion: 'full' | 'reduced';
  /** What the navigation shows. Null: as much as the window has room for. */
  readonly navigation: 'names' | 'icons' | null;
}

const KEY = 'appearance';
const DEFAULT: Appearance = { theme: 'system', density: 'comfortable', motion: 'full', navigation: null };

export function readAppearance(): Appearance {
  try {
    return { ...DEFAULT, ...(JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<Appearance>) };
  } catch {
    return DEFAULT;
  }
}

/** Applies a change at once and keeps it. */
export function changeAppearance(change: Partial<Appearance>): Appearance {
  const next = { ...readAppearance(), ...change };
  localStorage.setItem(KEY, JSON.stringify(next));
  const { dataset } = document.documentElement;
  setOrDelete(dataset, 'theme', next.theme === 'system' ? null : next.theme);
  setOrDelete(dataset, 'density', next.density === 'compact' ? 'compact' : null);
  setOrDelete(dataset, 'motion', next.motion === 'reduced' ? 'reduced' : null);
  setOrDelete(dataset, 'navigation', next.navigation);
  return next;
}

function setOrDelete(dataset: DOMStringMap, name: string, value: string | null): void {
  if (value === null) delete dataset[name];
  else dataset[name] = value;
}
