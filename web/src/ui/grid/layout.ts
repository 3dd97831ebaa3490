import type { ReactNode } from 'react';

/*
 * Widths of the columns of a grid: the same for the head and for every row, with any contents.
 */

/** A column of a grid. */
export interface Column<Row> {
  readonly id: string;
  readonly title: string;
  /** Narrowest width in pixels. */
  readonly width: number;
  /** Width in pixels that it gets before other columns get more than their narrowest. */
  readonly prefers?: number;
  /** Share of the room that is left; without one the column keeps its width. */
  readonly grow?: number;
  /** The width in pixels that the user gave it, which it keeps. */
  readonly given?: number;
  /** Numbers stand at the end. */
  readonly atEnd?: boolean;
  /** True if a click on the header sorts by it. */
  readonly sortable?: boolean;
  cell(this: void, row: Row): ReactNode;
}

/** Properties of a column that decide its width. */
export type Measures = Pick<Column<never>, 'id' | 'width' | 'prefers' | 'grow' | 'given'>;

/** Widths by the ids of columns. Undefined stands for the width that a column has by itself. */
export type Widths = Readonly<Record<string, number | undefined>>;

/** Bounds of the width that a user gives a column, in pixels. */
export const LEAST_WIDTH = 48;
export const MOST_WIDTH = 2000;
const SELECT_WIDTH = 40;

/** The columns as custom properties of the grid. `widths` are those that are being tried. */
export function layoutOf(columns: readonly Measures[], isSelectable: boolean, widths: Widths = {}): Record<string, string> {
  const fixed = columns.map(({ id, width, grow, given }) => widths[id] ?? given ?? (grow === undefined ? width : undefined));
  const least = columns.reduce((sum, { width }, at) => sum + (fixed[at] ?? width), isSelectable ? SELECT_WIDTH : 0);
  const tracks = columns.map(({ width, prefers, grow }, at) => {
    if (fixed[at] !== undefined) return `${fixed[at]}px`;
    const narrowest = prefers === undefined ? `${width}px` : `clamp(${width}px, 100% - ${least - width}px, ${prefers}px)`;
    return `minmax(${narrowest}, ${grow}fr)`;
  });
  return { '--columns': [...(isSelectable ? [`${SELECT_WIDTH}px`] : []), ...tracks].join(' '), '--least-width': `${least}px` };
}
