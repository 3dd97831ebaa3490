import { LEAST_WIDTH, type Measures, MOST_WIDTH, type Widths } from './layout.js';

/**
 * The widths that change when a column is to become so wide. `shown` are the present ones. Columns before it that grow keep theirs:
 * otherwise they would take the room, and the edge of the column would not follow the pointer.
 */
export function widthsAfter(columns: readonly Measures[], shown: readonly number[], id: string, wanted: number): Widths {
  const widths: Record<string, number> = {};
  for (const [at, column] of columns.entries()) {
    if (column.id === id) {
      widths[id] = Math.round(Math.min(MOST_WIDTH, Math.max(LEAST_WIDTH, wanted)));
      break;
    }
    if (column.grow !== undefined && column.given === undefined) widths[column.id] = Math.round(shown[at] ?? column.width);
  }
  return widths;
}
