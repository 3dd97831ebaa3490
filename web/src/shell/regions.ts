/*
 * The parts of the page, from its bar to the dock, as F6 goes through them. They are marked with `data-region`.
 */

const FOCUSABLE = 'a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), textarea:not(:disabled), [tabindex]';

/** Puts the focus into the next part of the page, or the one before. False if there is nowhere to go. */
export function moveToRegion(step: 1 | -1): boolean {
  const regions = [...document.querySelectorAll<HTMLElement>('[data-region]')].filter(isSeen);
  const from = regions.findIndex((region) => region.contains(document.activeElement));
  for (let moved = 1; moved <= regions.length; moved += 1) {
    const start = from === -1 && step === -1 ? 0 : from;
    const region = regions.at((start + step * moved + regions.length) % regions.length);
    const target = region === undefined ? null : targetIn(region);
    if (target !== null) {
      target.focus();
      return true;
    }
  }
  return false;
}

/**
 * Target of the focus in a part: the link to the current page, else the first element that Tab reaches, such as the row of a grid that had
 * the focus.
 */
function targetIn(region: HTMLElement): HTMLElement | null {
  const current = region.querySelector<HTMLElement>('[aria-current="page"]');
  if (current !== null && isSeen(current)) return current;
  const all = [...region.querySelectorAll<HTMLElement>(FOCUSABLE)];
  return all.find((element) => element.tabIndex >= 0 && isSeen(element)) ?? null;
}

const isSeen = (element: HTMLElement): boolean => element.checkVisibility();
