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

/** The rows under headers that sort them. */
export function Table<T>(props: ListProps<T>): ReactNode {
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
          <Icon of={Arrow} className={classes(css.arrow, isSorted && css.sorted)} size={12} />
        </button>
      )}
    </th>
  );
}
