import { isPressed } from '../ui/kbd/keys.js';
import { isMac } from '../ui/kbd/shortcuts.js';
import { keysOf } from '../keyboard/shortcuts.js';

/*
 * What listens to shortcuts comes after the first rows. The last keys that are pressed before are kept for it: a shortcut has two strokes at
 * most, and Shift is a key as well.
 */

let kept: readonly KeyboardEvent[] = [];

function keep(event: KeyboardEvent): void {
  // Browsers would leave the page for their own search.
  if (opensPalette(event)) event.preventDefault();
  kept = [...kept.slice(-3), event];
}

addEventListener('keydown', keep);

/** Whether the keys mean the palette. Those are kept from the browser, whoever acts on them. */
export const opensPalette = (event: KeyboardEvent): boolean => isPressed(keysOf('palette'), event, isMac);

/** The keys that were pressed since the page came, for the one who listens from now on. */
export function takeEarlyKeys(): readonly KeyboardEvent[] {
  removeEventListener('keydown', keep);
  return kept;
}
