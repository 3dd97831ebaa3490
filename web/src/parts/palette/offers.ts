import { useEffect, useRef } from 'react';

import type { MenuAct, MenuEntry, MenuLink } from '../../ui/menu/entries.js';

/** Actions that the page offers for its object, or for the chosen objects in it. */
export interface Offer {
  /** Name of the object: a device's name, "3 selected". */
  readonly heading: string;
  readonly acts: readonly (MenuAct | MenuLink)[];
  /** The thing as questions of permissions name it: `Device:ID`. */
  readonly scope?: string;
}

const offers = new Set<() => Offer>();

/** Puts the offers of a page into the palette, for as long as the page is there. */
export function useOffer(offer: Offer): void {
  const latest = useRef(offer);
  useEffect(() => {
    latest.current = offer;
  });
  useEffect(() => {
    const read = (): Offer => latest.current;
    offers.add(read);
    return () => void offers.delete(read);
  }, []);
}

/** Current offers, the newest first. */
export const currentOffers = (): Offer[] =>
  [...offers]
    .reverse()
    .map((read) => read())
    .filter(({ acts }) => acts.length > 0);

/** The acts and links of a menu, without its lines, groups and switches. */
export const actsOf = (entries: readonly MenuEntry[]): (MenuAct | MenuLink)[] =>
  entries.filter((entry) => entry !== null && ('onSelect' in entry || 'href' in entry));
