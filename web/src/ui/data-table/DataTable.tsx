import { Link, type LinkProps } from '@tanstack/react-router';
import { ArrowDown, ArrowUp } from 'lucide-react';
import { type MouseEvent, type ReactNode, useMemo, useState } from 'react';

import { Banner } from '../banner/Banner.js';
import { Button } from '../button/Button.js';
import { classes } from '../classes.js';
import { isPhone, useMedia } from '../media.js';
import { useContextMenu } from '../menu/ContextMenu.js';
import type { MenuEntry } from '../menu/entries.js';
import { MenuButton } from '../menu/MenuButton.js';
import { problemOf } from '../../api/problem.js';
import { describeProblem } from '../problem-text.js';
import { SkeletonList } from '../skeleton/Skeleton.js';
import { ErrorState } from '../states/ErrorState.js';
import { t } from '../texts.js';
import css from './DataTable.module.css';
import { isDescending, nextSort, type Sort, sortColumn, sortRows, type SortValue } from './sorting.js';

export interface Column<T> {
  readonly id: string;
  readonly header: string;
  /** The header is read aloud only. */
  readonly hideHeader?: boolean;
  readonly cell: (row: T) => ReactNode;
  /** What the column sorts by; without it, it does not sort. */
  readonly sortBy?: (row: T) => SortValue;
  /** Numbers stand at the end of their column. */
  readonly align?: 'end';
  /** As a CSS length; without it, as wide as its content asks. */
  readonly width?: string;
  /** Where the value stands in the two-line rows of a phone: the first column is the title, others are details unless told. */
  readonly phone?: 'side' | 'detail' | 'hidden';
}

interface DataTableProps<T> {
  /** What the list holds: "Users". */
  readonly label: string;
  /** The rows, up to some hundred; undefined while they load. */
  readonly rows: readonly T[] | undefined;
  readonly rowKey: (row: T) => string;
  /** The first column names the row. */
  readonly columns: readonly Column<T>[];
  /** Where a row leads to, as `linkOptions({ … })` of the router. */
  readonly rowLink?: (row: T) => LinkProps;
  /** What a click on a row does, where it leads to no page: opens a drawer. */
  readonly onRowOpen?: (row: T) => void;
  /** The acts of a row: behind three dots and on the right button. */
  readonly rowMenu?: (row: T) => readonly MenuEntry[];
  /** The name of a row, for the label of its menu. */
  readonly rowName?: (row: T) => string;
  /** Marks the row that is open beside the list. */
  readonly currentKey?: string;
  /** Use with `onSortChange` to keep the sort in the address. */
  readonly sort?: Sort;
  readonly onSortChange?: (sort: Sort) => void;
  readonly defaultSort?: Sort;
  /** What the last attempt to load failed with. Earlier rows stay. */
  readonly error?: unknown;
  readonly onRetry?: () => void;
  /** What stands there while there are no rows: an EmptyState, or an EmptyFiltered. */
  readonly empty: ReactNode;
}

/** A list of things with their facts. On a phone every row takes two lines. For thousands of rows there is the Grid. */
export function DataTable<T>(props: DataTableProps<T>): ReactNode {
  const { rows, columns, error, onRetry, empty, defaultSort, sort: givenSort, onSortChange } = props;
  const [ownSort, setOwnSort] = useState(defaultSort);
  const sort = givenSort ?? ownSort;
  const List = useMedia(isPhone) ? TwoLineRows : Table;
  const sorted = useMemo(() => inOrder(rows, columns, sort), [rows, columns, sort]);

  if (sorted === undefined) {
    if (error !== undefined && error !== null) return <ErrorState error={error} onRetry={onRetry} />;
    return <SkeletonList columns={columns.map((_, index) => (index === 0 ? 3 : 2))} />;
  }
  return (
    <>
      {error !== undefined && error !== null && (
        <Banner look="bad" actions={onRetry !== undefined && <Button onClick={onRetry}>{t('retry')}</Button>}>
          {describeProblem(problemOf(error))}
        </Banner>
      )}
      {sorted.length === 0 ? empty : <List {...props} rows={sorted} sort={sort} onSortChange={onSortChange ?? setOwnSort} />}
    </>
  );
}

function inOrder<T>(rows: readonly T[] | undefined, columns: readonly Column<T>[], sort: Sort | undefined): readonly T[] | undefined {
  const sortBy = sort === undefined ? undefined : columns.find(({ id }) => id === sortColumn(sort))?.sortBy;
  if (rows === undefined || sort === undefined || sortBy === undefined) return rows;
  return sortRows(rows, sortBy, isDescending(sort));
}

type ListProps<T> = DataTableProps<T> & { readonly rows: readonly T[]; readonly onSortChange: (sort: Sort) => void };

function Table<T>(props: ListProps<T>): ReactNode {
  const { label, rows, rowKey, columns, rowLink, onRowOpen, rowMenu, rowName, currentKey, sort, onSortChange } = props;
  const { openMenu, menu } = useContextMenu();
  const opens = rowLink !== undefined || onRowOpen !== undefined;
  return (
    <div className={css.frame}>
      <table className={css.table} aria-label={label}>
        <thead>
          <tr>
            {columns.map((column) => (
              <Header key={column.id} column={column} sort={sort} onSortChange={onSortChange} />
            ))}
            {rowMenu !== undefined && (
              <th className={css.menu} scope="col">
                <span className="visually-hidden">{t('actions')}</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr
              key={rowKey(row)}
              className={classes(opens && css.opens)}
              aria-current={rowKey(row) === currentKey || undefined}
              onClick={openRow}
              onContextMenu={(event) => {
                if (rowMenu !== undefined && !isControl(event)) openMenu(event, rowMenu(row));
              }}
            >
              {columns.map((column, index) => (
                <td key={column.id} className={column.align === 'end' ? css.end : undefined}>
                  {index === 0 ? <Opener {...{ row, rowLink, onRowOpen }}>{column.cell(row)}</Opener> : column.cell(row)}
                </td>
              ))}
              {rowMenu !== undefined && (
                <td className={css.menu}>
                  <RowMenu row={row} rowMenu={rowMenu} rowName={rowName} />
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
      {menu}
    </div>
  );
}

interface HeaderProps<T> {
  readonly column: Column<T>;
  readonly sort: Sort | undefined;
  readonly onSortChange: (sort: Sort) => void;
}

function Header<T>({ column, sort, onSortChange }: HeaderProps<T>): ReactNode {
  const { id, header, hideHeader = false, sortBy, align, width } = column;
  const isSorted = sort !== undefined && sortColumn(sort) === id;
  const descending = isSorted && isDescending(sort);
  const Arrow = descending ? ArrowDown : ArrowUp;
  return (
    <th
      scope="col"
      style={{ width }}
      className={align === 'end' ? css.end : undefined}
      aria-sort={isSorted ? (descending ? 'descending' : 'ascending') : undefined}
    >
      {sortBy === undefined ? (
        <span className={hideHeader ? 'visually-hidden' : css.header}>{header}</span>
      ) : (
        <button type="button" className={classes(css.header, css.sorts)} onClick={() => onSortChange(nextSort(sort, id))}>
          {header}
          <Arrow className={classes(css.arrow, isSorted && css.sorted)} size={12} strokeWidth={1.75} aria-hidden />
        </button>
      )}
    </th>
  );
}

function TwoLineRows<T>(props: ListProps<T>): ReactNode {
  const { label, rows, rowKey, columns, rowLink, onRowOpen, rowMenu, rowName, currentKey } = props;
  const [title, ...rest] = columns;
  const side = rest.filter(({ phone }) => phone === 'side');
  const details = rest.filter(({ phone = 'detail' }) => phone === 'detail');
  return (
    <ul className={css.rows} aria-label={label}>
      {rows.map((row) => (
        // The link or button in the row is for the keyboard; the rest of the row is a larger target for fingers.
        // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions
        <li key={rowKey(row)} className={css.row} aria-current={rowKey(row) === currentKey || undefined} onClick={openRow}>
          <div className={css.lines}>
            <div className={css.first}>
              <div className={css.title}>
                <Opener {...{ row, rowLink, onRowOpen }}>{title.cell(row)}</Opener>
              </div>
              {side.map((column) => (
                <div key={column.id}>{column.cell(row)}</div>
              ))}
            </div>
            {details.length > 0 && (
              <div className={css.second}>
                {details.map((column) => (
                  <div key={column.id} className={css.detail} title={column.header}>
                    {column.cell(row)}
                  </div>
                ))}
              </div>
            )}
          </div>
          {rowMenu !== undefined && <RowMenu row={row} rowMenu={rowMenu} rowName={rowName} />}
        </li>
      ))}
    </ul>
  );
}

interface OpenerProps<T> {
  readonly row: T;
  readonly rowLink?: (row: T) => LinkProps;
  readonly onRowOpen?: (row: T) => void;
  readonly children: ReactNode;
}

/** The name of a row as the link or button that opens it. */
function Opener<T>({ row, rowLink, onRowOpen, children }: OpenerProps<T>): ReactNode {
  if (rowLink !== undefined) {
    return (
      <Link {...rowLink(row)} className={css.opener} data-opens-row>
        {children}
      </Link>
    );
  }
  if (onRowOpen === undefined) return children;
  return (
    <button type="button" className={css.opener} data-opens-row onClick={() => onRowOpen(row)}>
      {children}
    </button>
  );
}

interface RowMenuProps<T> {
  readonly row: T;
  readonly rowMenu: (row: T) => readonly MenuEntry[];
  readonly rowName?: (row: T) => string;
}

function RowMenu<T>({ row, rowMenu, rowName }: RowMenuProps<T>): ReactNode {
  const label = rowName === undefined ? t('actions') : t('actions-for', { name: rowName(row) });
  return <MenuButton label={label} hideLabel className={css.dots} entries={() => rowMenu(row)} />;
}

const isControl = ({ target }: { readonly target: EventTarget }): boolean =>
  target instanceof Element && target.closest('a, button, input, select, textarea, label') !== null;

/** A click anywhere on a row is one on its link, unless it was on another control or selected some text. */
function openRow(event: MouseEvent<HTMLElement>): void {
  if (event.defaultPrevented || isControl(event) || getSelection()?.isCollapsed === false) return;
  const { ctrlKey, metaKey, shiftKey } = event;
  const opener = event.currentTarget.querySelector('[data-opens-row]');
  opener?.dispatchEvent(new globalThis.MouseEvent('click', { bubbles: true, cancelable: true, ctrlKey, metaKey, shiftKey }));
}
