import type { LinkProps } from '@tanstack/react-router';
import type { ReactNode } from 'react';

import type { MenuEntry } from '../menu/entries.js';
import type { Sort, SortValue } from './sorting.js';

export interface Column<T> {
  readonly id: string;
  readonly header: string;
  /** The header is read aloud only. */
  readonly hideHeader?: boolean;
  readonly cell: (row: T) => ReactNode;
  /** Value that the column sorts by; without it, it does not sort. */
  readonly sortBy?: (row: T) => SortValue;
  /** Numbers stand at the end of their column. */
  readonly align?: 'end';
  /** As a CSS length; without it, as wide as its content asks. */
  readonly width?: string;
  /** Place of the value in the two-line rows of a phone: the first column is the title, others are details unless told. */
  readonly phone?: 'side' | 'detail' | 'hidden';
}

/** Properties of both forms of a list: the table, and the rows of a phone. */
export interface ListProps<T> {
  /** Name of the list: "Users". */
  readonly label: string;
  readonly rows: readonly T[];
  readonly rowKey: (row: T) => string;
  /** The first column names the row. */
  readonly columns: readonly Column<T>[];
  /** Page of a row, as `linkOptions({ … })` of the router. */
  readonly rowLink?: (row: T) => LinkProps;
  /** Acts on a click on a row that leads to no page: opens a drawer. */
  readonly onRowOpen?: (row: T) => void;
  /** The acts of a row: behind three dots and on the right button. */
  readonly rowMenu?: (row: T) => readonly MenuEntry[];
  /** The name of a row, for the label of its menu. */
  readonly rowName?: (row: T) => string;
  /** Marks the row that is open beside the list. */
  readonly currentKey?: string;
  readonly sort: Sort | undefined;
  readonly onSortChange: (sort: Sort) => void;
}
