import { type ReactNode, useMemo, useState } from 'react';

import { Banner } from '../banner/Banner.js';
import { Button } from '../button/Button.js';
import { isPhone, useMedia } from '../media.js';
import { ProblemText } from '../states/ProblemText.js';
import { SkeletonList } from '../skeleton/Skeleton.js';
import { ErrorState } from '../states/ErrorState.js';
import { WhyLink } from '../states/WhyLink.js';
import { t } from '../texts.js';
import type { Column, ListProps } from './columns.js';
import { isDescending, type Sort, sortColumn, sortRows } from './sorting.js';
import { Table } from './Table.js';
import { TwoLineRows } from './TwoLineRows.js';

export type { Column } from './columns.js';

interface DataTableProps<T> extends Omit<ListProps<T>, 'rows' | 'sort' | 'onSortChange'> {
  /** The rows, up to some thousand; undefined while they load. Of more than 150 only those in sight stand in the document, on one line each. */
  readonly rows: readonly T[] | undefined;
  /** Use with `onSortChange` to keep the sort in the address. */
  readonly sort?: Sort;
  readonly onSortChange?: (sort: Sort) => void;
  readonly defaultSort?: Sort;
  /** Error of the last attempt to load. Earlier rows stay. */
  readonly error?: unknown;
  readonly onRetry?: () => void;
  /** Shown while there are no rows: an EmptyState, or an EmptyFiltered. */
  readonly empty: ReactNode;
}

/** A list of things with their facts. On a phone every row takes two lines. For rows that load in parts there is the Grid. */
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
          <ProblemText error={error} /> <WhyLink error={error} />
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
