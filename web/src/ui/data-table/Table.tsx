import { ArrowDown, ArrowUp } from 'lucide';
import type { ReactNode } from 'react';

import { classes } from '../classes.js';
import { Icon } from '../icon/Icon.js';
import { useContextMenu } from '../menu/ContextMenu.js';
import { t } from '../later-texts.js';
import type { Column, ListProps } from './columns.js';
import css from './DataTable.module.css';
import { isControl, Opener, openRow, RowMenu } from './row.js';
import { isDescending, nextSort, type Sort, sortColumn } from './sorting.js';
import { useRowWindow } from './useRowWindow.js';

/** The rows under headers that sort them. */
export function Table<T>(props: ListProps<T>): ReactNode {
  const { label, rows, rowKey, columns, rowLink, onRowOpen, rowMenu, rowName, currentKey, sort, onSortChange } = props;
  const { openMenu, menu } = useContextMenu();
  const opens = rowLink !== undefined || onRowOpen !== undefined;
  const { body, first, end, space } = useRowWindow(rows.length);
  const width = columns.length + (rowMenu === undefined ? 0 : 1);
  return (
    <div className={css.frame}>
      <table
        className={classes(css.table, space !== null && css.long)}
        aria-label={label}
        aria-rowcount={space === null ? undefined : rows.length + 1}
      >
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
        <tbody
          ref={(element) => {
            body.current = element;
          }}
        >
          {space !== null && space.before > 0 && <Space height={space.before} width={width} />}
          {rows.slice(first, end).map((row, index) => (
            <tr
              key={rowKey(row)}
              data-row
              aria-rowindex={space === null ? undefined : first + index + 2}
              className={classes(opens && css.opens)}
              aria-current={rowKey(row) === currentKey || undefined}
              onClick={openRow}
              onContextMenu={(event) => {
                if (rowMenu !== undefined && !isControl(event)) openMenu(event, rowMenu(row));
              }}
            >
              {columns.map((column, place) => (
                <td key={column.id} className={column.align === 'end' ? css.end : undefined}>
                  {place === 0 ? <Opener {...{ row, rowLink, onRowOpen }}>{column.cell(row)}</Opener> : column.cell(row)}
                </td>
              ))}
              {rowMenu !== undefined && (
                <td className={css.menu}>
                  <RowMenu row={row} rowMenu={rowMenu} rowName={rowName} />
                </td>
              )}
            </tr>
          ))}
          {space !== null && space.after > 0 && <Space height={space.after} width={width} />}
        </tbody>
      </table>
      {menu}
    </div>
  );
}

/** Stands for rows that are out of sight. */
function Space({ height, width }: { readonly height: number; readonly width: number }): ReactNode {
  return (
    <tr aria-hidden className={css.space}>
      <td colSpan={width} style={{ height }}>
        {'\u00A0'}
      </td>
    </tr>
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
          <Icon of={Arrow} className={classes(css.arrow, isSorted && css.sorted)} size={12} />
        </button>
      )}
    </th>
  );
}
