import type { ReactNode } from 'react';

import type { Pressed } from '../kbd/keys.js';
import type { Column, Widths } from './layout.js';
import type { Selection } from './selection.js';

/** Place at which a menu opens: see `useContextMenu`. */
export interface MenuEvent {
  readonly clientX: number;
  readonly clientY: number;
  readonly currentTarget: EventTarget;
  readonly preventDefault: () => void;
}

export interface GridProps<Row> {
  /** Name of the rows, for screen readers. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly count: number;
  /** The row at an index; undefined while it is loading. */
  rowAt(this: void, index: number): Row | undefined;
  idOf(this: void, row: Row): string;
  readonly sort?: { readonly column: string; readonly descending: boolean };
  onSort?(this: void, column: string): void;
  /** The user gave columns other widths. Without it they keep theirs. */
  onWidths?(this: void, widths: Widths): void;
  readonly selection?: Selection;
  onSelect?(this: void, selection: Selection): void;
  onOpen(this: void, row: Row, newTab: boolean): void;
  /** The menu of a row is asked for: by the pointer, at its place, or by the keyboard, at the row. */
  onMenu?(this: void, row: Row, event: MenuEvent): void;
  /** The row whose menu is open. */
  readonly menuOf?: string;
  /** A finger that rests on a row asks for its menu, instead of selecting the row on a phone. */
  readonly pressOpensMenu?: boolean;
  /** Acts on a key of a row that is not one of the grid's own. True if it was used. */
  onRowKey?(this: void, row: Row, event: Pressed): boolean;
  /** The rows on the screen and one screen around it, once scrolling has settled. */
  onRange?(this: void, first: number, last: number): void;
  /** One row on a phone: two lines without columns. */
  compact(this: void, row: Row): ReactNode;
  /** The list that the page is about: its keys hold as long as no control has the focus, without a click on a row. */
  readonly isMain?: boolean;
  /** The rows are those of the last search. */
  readonly stale?: boolean;
}
