import type { Pressed } from '../kbd/keys.js';
import { shortcutOf } from '../kbd/shortcuts.js';
import { GRID_KEYS } from './keys.js';
import type { GridProps, MenuEvent } from './props.js';
import { moveFocus } from './selection.js';

type Given = 'count' | 'rowAt' | 'idOf' | 'selection' | 'onSelect' | 'onOpen' | 'onMenu' | 'onRowKey';

/** Objects of the keys: the rows, the one that has the focus, and the selection. */
interface Keyed<Row> extends Pick<GridProps<Row>, Given> {
  readonly focused: number;
  /** Rows on the screen. */
  readonly pageSize: number;
  /** While no row is selected, ranges begin at this one. */
  focusRow(this: void, index: number): void;
  select(this: void, index: number, toggle: boolean, range: boolean): void;
  rowElement(this: void, index: number): HTMLElement | null;
}

/** Acts on a key in a grid. False if the key means nothing here. */
export function actOnKey<Row>(keyed: Keyed<Row>, event: Pressed): boolean {
  const { count, rowAt, selection, onSelect, onOpen, onMenu, onRowKey } = keyed;
  const { focused, pageSize, focusRow, select, rowElement } = keyed;
  const row = rowAt(focused);
  const id = shortcutOf(GRID_KEYS, event);
  const isExtending = id === 'rows-extend';
  const next = moveFocus(isExtending ? shortcutOf(GRID_KEYS, withoutShift(event)) : id, focused, count, pageSize);
  if (next !== null) {
    if (isExtending) select(next, false, true);
    focusRow(next);
    return true;
  }
  if (selection !== undefined && (isExtending || id === 'row-select')) {
    select(focused, !isExtending, isExtending);
    return true;
  }
  if (selection !== undefined && id === 'rows-all') {
    onSelect?.(selection.with(loadedIds(keyed, 0, count - 1)));
    return true;
  }
  if (selection !== undefined && selection.size > 0 && id === 'rows-none') {
    onSelect?.(selection.only([]));
    return true;
  }
  if (row === undefined) return false;
  if (id === 'row-open' || id === 'row-open-tab') {
    onOpen(row, id === 'row-open-tab');
    return true;
  }
  if (id === 'row-menu' && onMenu !== undefined) {
    onMenu(row, menuAt(rowElement(focused)));
    return true;
  }
  return onRowKey?.(row, event) === true;
}

/** Ids of the rows of a range that are loaded. */
export function loadedIds<Row>({ rowAt, idOf }: Pick<GridProps<Row>, 'rowAt' | 'idOf'>, first: number, last: number): string[] {
  const ids: string[] = [];
  for (let index = first; index <= last; index += 1) {
    const row = rowAt(index);
    if (row !== undefined) ids.push(idOf(row));
  }
  return ids;
}

/** A menu that the keyboard asked for. */
const menuAt = (row: HTMLElement | null): MenuEvent => ({
  clientX: 0,
  clientY: 0,
  currentTarget: row ?? document.body,
  preventDefault: () => undefined,
});

/** The same keys without Shift. */
const withoutShift = ({ key, code, ctrlKey, metaKey, altKey }: Pressed): Pressed => ({
  key,
  code,
  ctrlKey,
  metaKey,
  altKey,
  shiftKey: false,
});
