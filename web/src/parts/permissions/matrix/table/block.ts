import type { Cell } from '../../../../model/permissions/scopes.js';

/*
 * Moving and selecting in the matrix. A place is one button of it: an entry at a scope has one cell, the line of a category has all below it,
 * and where a permission is not legal there is none.
 */

export interface Place {
  readonly row: number;
  readonly column: number;
}

/** The cells of every place, by row and column. */
export type Places = readonly (readonly (readonly Cell[])[])[];

export type Direction = readonly [rows: number, columns: number];

export const cellsAt = (places: Places, { row, column }: Place): readonly Cell[] => places[row]?.[column] ?? [];

/** The next place in a direction that has cells; null at the edge. */
export function nextPlace(places: Places, from: Place, [rows, columns]: Direction): Place | null {
  let place = { row: from.row + rows, column: from.column + columns };
  while (places[place.row]?.[place.column] !== undefined) {
    if (cellsAt(places, place).length > 0) return place;
    place = { row: place.row + rows, column: place.column + columns };
  }
  return null;
}

/** The last place in a direction that has cells. */
export function lastPlace(places: Places, from: Place, direction: Direction): Place {
  const next = nextPlace(places, from, direction);
  return next === null ? from : lastPlace(places, next, direction);
}

/** The first place that has cells; null where there is none. */
export function firstPlace(places: Places): Place | null {
  for (const [row, columns] of places.entries()) {
    const column = columns.findIndex((cells) => cells.length > 0);
    if (column !== -1) return { row, column };
  }
  return null;
}

/** True if a place lies in the rectangle between two others. */
export function isWithin({ row, column }: Place, a: Place, b: Place): boolean {
  const isBetween = (value: number, one: number, other: number): boolean => value >= Math.min(one, other) && value <= Math.max(one, other);
  return isBetween(row, a.row, b.row) && isBetween(column, a.column, b.column);
}

/** The cells between two places, each once. */
export function cellsBetween(places: Places, a: Place, b: Place): readonly Cell[] {
  const cells = places.flatMap((columns, row) => columns.flatMap((each, column) => (isWithin({ row, column }, a, b) ? each : [])));
  return [...new Set(cells)];
}
