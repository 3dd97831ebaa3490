import { type ChosenColumn, type ColumnId, DEFAULT_COLUMNS } from '../../../parts/devices/chosen-columns.js';

/*
 * Another choice of columns: in another order, with other widths. Nobody needs it to see the first rows.
 */

/** The columns as the address holds them: undefined for those of a list without a choice. */
export function writeColumns(columns: readonly ChosenColumn[]): string | undefined {
  const parts = columns.map(({ id, width }) => (width === undefined ? id : `${id}.${width}`));
  if (parts.join() === DEFAULT_COLUMNS.join()) return undefined;
  // The name is there without being named.
  return parts.length > 1 && parts[0] === 'name' ? parts.slice(1).join() : parts.join();
}

/** The columns with other widths. Undefined stands for the width that a column has by itself. */
export const withWidths = (
  columns: readonly ChosenColumn[],
  widths: Readonly<Record<string, number | undefined>>,
): readonly ChosenColumn[] => columns.map((column) => (column.id in widths ? { id: column.id, width: widths[column.id] } : column));

/** The columns with one more at the end, or without one that was there. */
export const toggled = (columns: readonly ChosenColumn[], id: ColumnId): readonly ChosenColumn[] =>
  columns.some((column) => column.id === id) ? columns.filter((column) => column.id !== id) : [...columns, { id }];

/** The columns with one of them a place further up (-1) or down (1). Null where it cannot go: the first place is that of the name. */
export function moved(columns: readonly ChosenColumn[], id: ColumnId, step: -1 | 1): readonly ChosenColumn[] | null {
  const from = columns.findIndex((column) => column.id === id);
  const to = from + step;
  const [column] = columns.slice(from);
  if (from < 1 || to < 1 || to >= columns.length || column === undefined) return null;
  return columns.toSpliced(from, 1).toSpliced(to, 0, column);
}
