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
export type Measures = Pick<Column<never>, 'id' | 'width' | 'grow' | 'given'>;

/** Widths by the ids of columns. Undefined stands for the width that a column has by itself. */
export type Widths = Readonly<Record<string, number | undefined>>;

/** Bounds of the width that a user gives a column, in pixels. */
export const LEAST_WIDTH = 48;
export const MOST_WIDTH = 2000;
const SELECT_WIDTH = 40;

/** The columns as custom properties of the grid. `widths` are those that are being tried. */
export function layoutOf(columns: readonly Measures[], isSelectable: boolean, widths: Widths = {}): Record<string, string> {
  const tracks = isSelectable ? [`${SELECT_WIDTH}px`] : [];
  let least = isSelectable ? SELECT_WIDTH : 0;
  for (const { id, width, grow, given } of columns) {
    const fixed = widths[id] ?? given ?? (grow === undefined ? width : undefined);
    tracks.push(fixed === undefined ? `minmax(${width}px, ${grow}fr)` : `${fixed}px`);
    least += fixed ?? width;
  }
  return { '--columns': tracks.join(' '), '--least-width': `${least}px` };
}
