import { useLocation } from '@tanstack/react-router';
import { type RefObject, useLayoutEffect, useRef } from 'react';

/** For a row of links that scrolls sideways: scrolls it so that the current link is in its middle, at first and with each new address. */
export function useCurrentInSight(): RefObject<HTMLElement | null> {
  const row = useRef<HTMLElement>(null);
  const path = useLocation({ select: ({ pathname }) => pathname });
  useLayoutEffect(() => {
    const current = row.current?.querySelector('[aria-current]');
    if (row.current === null || current === null || current === undefined) return;
    // The difference holds in both directions of writing. `scrollIntoView` would scroll the page as well.
    row.current.scrollLeft += middleOf(current) - middleOf(row.current);
  }, [path]);
  return row;
}

function middleOf(element: Element): number {
  const { left, width } = element.getBoundingClientRect();
  return left + width / 2;
}
