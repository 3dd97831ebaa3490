import { ArrowDown, ArrowUp, ArrowUpDown } from 'lucide';
import type { ReactNode } from 'react';

import { MenuButton } from '../menu/MenuButton.js';
import { t } from '../later-texts.js';

interface SortMenuProps {
  /** The columns that the list can be sorted by. */
  readonly columns: readonly { readonly id: string; readonly title: string }[];
  readonly sorted: { readonly column: string; readonly descending: boolean } | undefined;
  /** The same as a press on the header of the column: on the current one it turns the order round. */
  readonly onSort: (column: string) => void;
  readonly className?: string;
}

/** Sorts a list that has no headers, as on a phone: the columns in a menu. */
export function SortMenu({ columns, sorted, onSort, className }: SortMenuProps): ReactNode {
  const current = columns.find(({ id }) => id === sorted?.column);
  const descending = sorted?.descending === true;
  const Arrow = descending ? ArrowDown : ArrowUp;
  return (
    <MenuButton
      label={current === undefined ? t('sort') : t('sort-by', { name: current.title })}
      icon={current === undefined ? ArrowUpDown : Arrow}
      look="quiet"
      align="end"
      className={className}
      entries={columns.map((column) => ({
        label: column.title,
        ...(column === current && { icon: Arrow, hint: t(descending ? 'descending' : 'ascending') }),
        onSelect: () => onSort(column.id),
      }))}
    />
  );
}
