/*
 * The listener to shortcuts comes after the first rows. The last keys that are pressed before are kept for it: a shortcut has two strokes
 * at most, and Shift is a key as well.
 */

let kept: readonly KeyboardEvent[] = [];
let keep: ((event: KeyboardEvent) => void) | null = null;

/** Keeps the keys that are pressed from now on. Those that `isOurs` names are kept from the browser, too: it would leave the page for its own search. */
export function keepEarlyKeys(isOurs: (event: KeyboardEvent) => boolean): void {
  keep = (event) => {
    if (isOurs(event)) event.preventDefault();
    kept = [...kept.slice(-3), event];
  };
  addEventListener('keydown', keep);
}

/** The keys that were pressed since the page came, for the component that listens from now on. */
export function takeEarlyKeys(): readonly KeyboardEvent[] {
  if (keep !== null) removeEventListener('keydown', keep);
  return kept;
}
