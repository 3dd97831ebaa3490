import type { ReactNode } from 'react';

import type { ListProps } from './columns.js';
import css from './DataTable.module.css';
import { Opener, openRow, RowMenu } from './row.js';
import { classes } from '../classes.js';
import { SortButton } from './SortButton.js';
import { useRowWindow } from './useRowWindow.js';

/** The list on a phone: two lines a row, and the sort above them as there are no headers to press. */
export function TwoLineRows<T>(props: ListProps<T>): ReactNode {
  const { label, rows, rowKey, columns, rowLink, onRowOpen, rowMenu, rowName, currentKey, sort, onSortChange } = props;
  const { body, first, end, space } = useRowWindow(rows.length);
  const [title, ...rest] = columns;
  const side = rest.filter(({ phone }) => phone === 'side');
  const details = rest.filter(({ phone = 'detail' }) => phone === 'detail');
  return (
    <div className={css.sortedRows}>
      {rows.length > 1 && <SortButton {...{ columns, sort, onSortChange }} />}
      <ul
        ref={(element) => {
          body.current = element;
        }}
        className={classes(css.rows, space !== null && css.long)}
        aria-label={label}
        style={space === null ? undefined : { paddingBlock: `${space.before}px ${space.after}px` }}
      >
        {rows.slice(first, end).map((row, index) => (
          // The link or button in the row is for the keyboard; the rest of the row is a larger target for fingers.
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions
          <li
            key={rowKey(row)}
            data-row
            aria-setsize={space === null ? undefined : rows.length}
            aria-posinset={space === null ? undefined : first + index + 1}
            className={css.row}
            aria-current={rowKey(row) === currentKey || undefined}
            onClick={openRow}
          >
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
    </div>
  );
}
