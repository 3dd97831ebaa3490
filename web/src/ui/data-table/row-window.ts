/** Up to this number all rows stand in the document, so that the browser finds their texts. */
const ALL_ROWS = 150;
/** Rows on both sides of those in sight: the Tab key finds the next ones. */
const BEYOND = 20;
/** The window moves by so many rows, not with every pixel. */
const STEP = 10;

/** Rows that stand in the document: from `first` up to, without, `end`. */
export interface RowWindow {
  readonly first: number;
  readonly end: number;
}

/** True if only the rows in sight stand in the document. */
export const isWindowed = (count: number): boolean => count > ALL_ROWS;

interface Sight {
  /** Distance from the top of the window to the first row, in pixels: negative once it is scrolled out. */
  readonly top: number;
  readonly rowHeight: number;
  readonly windowHeight: number;
}

/** The rows around those in sight. */
export function rowsInSight(count: number, { top, rowHeight, windowHeight }: Sight): RowWindow {
  if (!isWindowed(count)) return { first: 0, end: count };
  const from = Math.floor(-top / rowHeight) - BEYOND;
  const to = Math.ceil((windowHeight - top) / rowHeight) + BEYOND;
  const first = Math.min(Math.max(0, Math.floor(from / STEP) * STEP), Math.max(0, count - 1));
  return { first, end: Math.max(Math.min(count, Math.ceil(to / STEP) * STEP), Math.min(count, first + STEP)) };
}
