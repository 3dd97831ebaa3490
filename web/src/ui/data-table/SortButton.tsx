import { ArrowDown, ArrowUp, ArrowUpDown } from 'lucide-react';
import type { ReactNode } from 'react';

import { MenuButton } from '../menu/MenuButton.js';
import { t } from '../texts.js';
import type { ListProps } from './columns.js';
import css from './DataTable.module.css';
import { isDescending, nextSort, sortColumn } from './sorting.js';

/** Sorts a list that has no headers: the columns in a menu. Choosing the current one turns the order round, as its header does. */
export function SortButton<T>({ columns, sort, onSortChange }: Pick<ListProps<T>, 'columns' | 'sort' | 'onSortChange'>): ReactNode {
  const sortable = columns.filter(({ sortBy }) => sortBy !== undefined);
  if (sortable.length === 0) return null;
  const current = sort === undefined ? undefined : sortable.find(({ id }) => id === sortColumn(sort));
  const descending = sort !== undefined && isDescending(sort);
  const Arrow = descending ? ArrowDown : ArrowUp;
  return (
    <MenuButton
      label={current === undefined ? t('sort') : t('sort-by', { name: current.header })}
      icon={current === undefined ? ArrowUpDown : Arrow}
      look="quiet"
      align="end"
      className={css.sortButton}
      entries={sortable.map((column) => ({
        label: column.header,
        ...(column === current && { icon: Arrow, hint: t(descending ? 'descending' : 'ascending') }),
        onSelect: () => onSortChange(nextSort(sort, column.id)),
      }))}
    />
  );
}
