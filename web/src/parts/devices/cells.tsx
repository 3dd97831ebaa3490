import type { ReactNode } from 'react';

import type { Device } from '../../model/devices/device-search.js';
import type { ColumnId } from './chosen-columns.js';
import type { Marks } from './marks.js';

/** Data that cells need besides the device. */
export interface ColumnContext {
  /** Marks of the searched text, while the list is searched. */
  readonly marks: Marks | undefined;
  readonly tagNames: ReadonlyMap<string, string>;
  /** The columns that few lists show, once their code is there. */
  readonly later?: LaterColumns;
}

export interface CellContext extends ColumnContext {
  readonly shown: ReadonlySet<ColumnId>;
}

/** The cell of a column for a device. */
export type Cell = (device: Device, context: CellContext) => ReactNode;

/** The columns that few lists show: their code comes with the first one that is shown. */
export interface LaterColumns {
  /** The cell of a column; undefined for one that is not among them. */
  cell(this: void, id: ColumnId): Cell | undefined;
  /** The title of a column; undefined for a field that lists do not offer. */
  title(this: void, id: ColumnId): string | undefined;
}

/** A text that is searched. */
export const found = (text: string, { marks }: CellContext): ReactNode => marks?.text(text) ?? text;

export const figures = (text: string, context: CellContext): ReactNode => <span className="figures">{found(text, context)}</span>;

export const list = (values: readonly string[] | null): string => (values ?? []).join(', ');
