import {
  type CSSProperties,
  type KeyboardEvent,
  lazy,
  type MouseEvent,
  type ReactNode,
  Suspense,
  useEffect,
  useRef,
  useState,
} from 'react';

import { classes } from '../classes.js';
import { actOnKey, loadedIds } from './act-on-key.js';
import css from './Grid.module.css';
import { GridRow } from './GridRow.js';
import { Head } from './Head.js';
import type { Pressed } from '../kbd/keys.js';
import { isInteractive } from './interactive.js';
import { layoutOf } from './layout.js';
import { useLongPress } from './long-press.js';
import { isPhone, useMedia } from '../media.js';
import type { GridProps } from './props.js';
import { SelectAll } from './SelectAll.js';
import { useKeysAtRest } from './useKeysAtRest.js';
import { useRowHeight } from './useRowHeight.js';
import { useWindow } from './useWindow.js';

export type { MenuEvent } from './props.js';

/** Only phones have one. */
const SortMenu = lazy(async () => ({ default: (await import('../sort-menu/SortMenu.js')).SortMenu }));

/** After this time without a change of position, rows are loaded: pages that are only flown over cost nothing. */
const SETTLED_MS = 90;

/**
 * A table of up to some hundred thousand rows, of which only those on the screen exist. One row has the focus: arrows, Home, End, Page Up
 * and Page Down move it, Space selects, Enter opens: see `GRID_KEYS`.
 */
export function Grid<Row>(props: GridProps<Row>): ReactNode {
  const { label, columns, count, rowAt, sort, onSort, selection, onSelect, onOpen, onRange, isMain = false, stale = false } = props;
  const grid = useRef<HTMLDivElement>(null);
  const scroller = useRef<HTMLDivElement>(null);
  const body = useRef<HTMLDivElement>(null);
  const isSmall = useMedia(isPhone);
  const rowHeight = useRowHeight();
  const [focused, setFocused] = useState(0);
  /** The row from which a range is selected: its place when it became that, and its id. */
  const anchor = useRef<readonly [index: number, id?: string]>(undefined);
  const shouldFocus = useRef(false);
  const { first, last, scrollTo } = useWindow(scroller, body, { count, rowHeight, isLoaded: rowAt(0) !== undefined });
  useEffect(() => {
    if (last < first) return undefined;
    const timer = setTimeout(() => onRange?.(first, last), SETTLED_MS);
    return () => clearTimeout(timer);
  }, [first, last, onRange]);

  useEffect(() => {
    if (!shouldFocus.current) return;
    const row = rowElement(focused);
    if (row !== null) {
      shouldFocus.current = false;
      row.focus({ preventScroll: true });
    }
  });

  // The Tab key finds a row also when the one that had the focus was scrolled away.
  const reachable = Math.max(first, Math.min(last, focused));
  const made = Array.from({ length: last - first + 1 }, (_, at) => first + at);
  const idAt = (index: number): string | undefined => loadedIds(props, index, index)[0];
  const setAnchor = (index: number): void => {
    anchor.current = [index, idAt(index)];
  };
  const focusRow = (index: number): void => {
    if (selection?.size === 0) setAnchor(index);
    shouldFocus.current = true;
    setFocused(index);
    scrollTo(index);
  };
  const select = (index: number, toggle: boolean, range: boolean): void => {
    if (selection === undefined) return;
    const [place, id] = anchor.current ?? [focused];
    // Rows move when the list is read or sorted again. From one that is not near any more, no range begins.
    const from = range ? ([place, ...made].find((at) => id === undefined || idAt(at) === id) ?? index) : index;
    setAnchor(from);
    const ids = loadedIds(props, Math.min(from, index), Math.max(from, index));
    onSelect?.(range ? selection.with(ids) : toggle ? selection.toggled(ids) : selection.only(ids));
  };

  const act = (event: Pressed, from: number): boolean => {
    const pageSize = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / rowHeight) - 1);
    return actOnKey({ ...props, focused: from, pageSize, focusRow, select, rowElement }, event);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    // On a control of the head or of a row, these keys press that control.
    if ((event.key === 'Enter' || event.key === ' ') && isInteractive(event.target, event.currentTarget)) return;
    if (act(event, focused)) event.preventDefault();
  };
  useKeysAtRest(isMain, {
    hasRow: rowAt(reachable) !== undefined,
    focusRow: () => {
      focusRow(reachable);
      rowElement(reachable)?.focus({ preventScroll: true });
    },
    act: (event) => act(event, reachable),
  });
  const longPress = useLongPress();
  const rowElement = (index: number): HTMLElement | null => scroller.current?.querySelector<HTMLElement>(`[data-index="${index}"]`) ?? null;
  const onClick = (event: MouseEvent, index: number): void => {
    const row = rowAt(index);
    // Once a finger has chosen a row, the next ones are chosen by a tap.
    if (isSmall && selection !== undefined && selection.size > 0) {
      event.preventDefault();
      return select(index, true, false);
    }
    if (row === undefined || isInteractive(event.target, event.currentTarget)) return;
    shouldFocus.current = true;
    setFocused(index);
    if (event.shiftKey) select(index, false, true);
    else if (event.ctrlKey || event.metaKey) select(index, true, false);
    else onOpen(row, false);
  };

  // Pages that were read one after the other may both have a row that has moved.
  const keys = new Set<string>();
  const style = { ...layoutOf(columns, selection !== undefined), '--row-height': `${rowHeight}px` } as CSSProperties;
  return (
    <div className={css.grid} style={style} ref={grid}>
      {isSmall && onSort !== undefined && count > 1 && (
        <div className={css.sortBar}>
          <Suspense fallback={<span aria-busy />}>
            <SortMenu columns={columns.filter(({ sortable }) => sortable)} sorted={sort} onSort={onSort} />
          </Suspense>
        </div>
      )}
      <div
        className={css.scroller}
        ref={scroller}
        role="grid"
        aria-label={label}
        aria-rowcount={count + 1}
        aria-colcount={columns.length}
        aria-multiselectable={selection !== undefined}
        onKeyDown={onKeyDown}
      >
        {!isSmall && (
          <Head {...props} grid={grid}>
            {selection !== undefined && <SelectAll {...props} selection={selection} />}
          </Head>
        )}
        <div className={classes(css.body, stale && css.stale)} style={{ height: count * rowHeight }} role="rowgroup" ref={body}>
          {made.map((index) => {
            const row = rowAt(index);
            const id = idAt(index) ?? `at-${index}`;
            return (
              <GridRow
                key={keys.size < keys.add(id).size ? id : index}
                {...props}
                {...{ id, index, row, isSmall, longPress, onClick, select }}
                isReachable={index === reachable}
                top={index * rowHeight}
                onFocus={setFocused}
              />
            );
          })}
        </div>
      </div>
    </div>
  );
}
