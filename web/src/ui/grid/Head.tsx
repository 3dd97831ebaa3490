import { ArrowDown, ArrowUp } from 'lucide';
import { type KeyboardEvent, lazy, type ReactNode, type RefObject, Suspense, useState } from 'react';

import { classes } from '../classes.js';
import { isRightToLeft } from '../direction.js';
import { Icon } from '../icon/Icon.js';
import css from './Grid.module.css';
import type { Column, Widths } from './layout.js';

const ColumnEdge = lazy(async () => ({ default: (await import('./ColumnEdge.js')).ColumnEdge }));

interface HeadProps<Row> {
  /** The element whose custom properties are the widths. */
  readonly grid: RefObject<HTMLElement | null>;
  readonly columns: readonly Column<Row>[];
  readonly sort?: { readonly column: string; readonly descending: boolean };
  onSort?(this: void, column: string): void;
  onWidths?(this: void, widths: Widths): void;
  /** The box that selects all rows; false without one. */
  readonly children: ReactNode;
}

/** The heads of the columns. The Tab key stops at one of them, and Left and Right lead to the others. */
export function Head<Row>({ grid, columns, sort, onSort, onWidths, children }: HeadProps<Row>): ReactNode {
  const [current, setCurrent] = useState('');
  // The edges are loaded when the pointer or the focus comes near.
  const [hasEdges, setEdges] = useState(false);
  const reachable = columns.some(({ id }) => id === current) ? current : columns[0]?.id;
  return (
    <div className={css.head} role="row" aria-rowindex={1} onPointerEnter={() => setEdges(true)} onKeyDown={goAlong}>
      {children}
      {columns.map((column) => {
        const { id, title, sortable, atEnd } = column;
        const isSorted = sort?.column === id;
        const tabIndex = id === reachable ? 0 : -1;
        const content = (
          <>
            <span className="cut">{title}</span>
            {isSorted && <Icon of={sort.descending ? ArrowDown : ArrowUp} size={12} />}
          </>
        );
        return (
          <div
            key={id}
            role="columnheader"
            className={css.header}
            aria-label={title}
            aria-sort={isSorted ? (sort.descending ? 'descending' : 'ascending') : undefined}
            data-column={id}
            tabIndex={sortable === true ? undefined : tabIndex}
            onFocus={() => {
              setCurrent(id);
              setEdges(true);
            }}
          >
            {sortable === true ? (
              <button
                type="button"
                className={classes(css.sort, atEnd === true && css.end)}
                tabIndex={tabIndex}
                onClick={() => onSort?.(id)}
              >
                {content}
              </button>
            ) : (
              <div className={classes(css.title, atEnd === true && css.end)}>{content}</div>
            )}
            {onWidths !== undefined && hasEdges && (
              <Suspense>
                <ColumnEdge {...{ grid, columns, id, title, tabIndex, onWidths }} isSelectable={children !== false} />
              </Suspense>
            )}
          </div>
        );
      })}
    </div>
  );
}

/** Left and Right lead from head to head. */
function goAlong(event: KeyboardEvent): void {
  if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return;
  const isForward = (event.key === 'ArrowRight') !== isRightToLeft(event.currentTarget);
  const heads = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-column]')];
  const next = heads[heads.findIndex((head) => head.contains(event.target as Element)) + (isForward ? 1 : -1)];
  (next?.querySelector('button') ?? next)?.focus();
  event.preventDefault();
}
