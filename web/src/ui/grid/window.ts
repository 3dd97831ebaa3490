/*
 * Choice of the rows of a long list that are rendered. All rows have one height, so that their places are a matter of arithmetic.
 */

/** A list as its scroller shows it, in pixels. */
export interface Scrolled {
  readonly scrollTop: number;
  readonly height: number;
  readonly rowHeight: number;
}

export interface RowRange {
  readonly first: number;
  /** Smaller than `first` if there are no rows. */
  readonly last: number;
}

/** The places of rows that are seen, even if the list has fewer. */
export function placesSeen({ scrollTop, height, rowHeight }: Scrolled): RowRange {
  return { first: Math.floor(scrollTop / rowHeight), last: Math.ceil((scrollTop + height) / rowHeight) - 1 };
}

/** The rows that are rendered for the places in sight, with some more on both sides, so that fast scrolling shows no gap. */
export function rowsAround({ first, last }: RowRange, count: number, beyond: number): RowRange {
  return { first: Math.max(0, Math.min(first - beyond, count - 1)), last: Math.min(count - 1, last + beyond) };
}

/** Scroll position that shows a row whole, below a head that stays; the same position if it is. */
export function scrollTopFor(index: number, headHeight: number, { scrollTop, height, rowHeight }: Scrolled): number {
  const top = index * rowHeight;
  if (top < scrollTop) return top;
  return Math.max(scrollTop, top + rowHeight + headHeight - height);
}
