import type { Changes, Content } from '../contents.js';
import type { Names } from '../names.js';
import type { Cell, Scope } from '../../../../model/permissions/scopes.js';
import type { Grant } from '../standing.js';
import type { Line, Selection } from './useSelection.js';

export interface MatrixTableProps {
  readonly lines: readonly Line[];
  readonly columns: readonly Scope[];
  readonly names: Names;
  readonly selection: Selection;
  readonly changes: Changes;
  /** Grants of groups, by cell. */
  readonly brought: ReadonlyMap<string, readonly Grant[]>;
  readonly contentAt: (cell: Cell) => Content;
  readonly mayChange: (cell: Cell) => boolean;
  readonly mayDeny: boolean;
  readonly onChange: (cells: readonly Cell[], set: (content: Content, stored: Content) => Content) => void;
  /** Null where cells have neither notes nor a disabled state. */
  readonly onNote: ((cell: Cell) => void) | null;
}
