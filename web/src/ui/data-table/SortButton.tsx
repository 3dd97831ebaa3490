import type { ReactNode } from 'react';

import { SortMenu } from '../sort-menu/SortMenu.js';
import type { ListProps } from './columns.js';
import css from './DataTable.module.css';
import { isDescending, nextSort, sortColumn } from './sorting.js';

/** Sorts the list where it has no headers. */
export function SortButton<T>({ columns, sort, onSortChange }: Pick<ListProps<T>, 'columns' | 'sort' | 'onSortChange'>): ReactNode {
  const sortable = columns.filter(({ sortBy }) => sortBy !== undefined);
  if (sortable.length === 0) return null;
  return (
    <SortMenu
      className={css.sortButton}
      columns={sortable.map(({ id, header }) => ({ id, title: header }))}
      sorted={sort === undefined ? undefined : { column: sortColumn(sort), descending: isDescending(sort) }}
      onSort={(column) => onSortChange(nextSort(sort, column))}
    />
  );
}
