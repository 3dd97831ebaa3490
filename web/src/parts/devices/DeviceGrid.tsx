import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useMemo } from 'react';

import { listQuery } from '../../api/lists.js';
import { showDevices } from '../../live/device-feed.js';
import { Grid } from '../../ui/grid/Grid.js';
import type { Selection } from '../../ui/grid/selection.js';
import { ErrorState } from '../../ui/states/ErrorState.js';
import type { ColumnId } from './chosen-columns.js';
import { columnOf, columnsFor, CompactDevice, propertyOf } from './columns.js';
import { type Device, type DeviceSearch, nextSort, readSort } from '../../model/devices/device-search.js';
import { useDeviceRows } from './useDeviceRows.js';
import { useMarks } from './use-loaded.js';

interface DeviceGridProps {
  readonly label: string;
  readonly search: DeviceSearch;
  /** Sorts by what the function makes of the present order, which may be newer than the shown one. */
  readonly onSort: (next: (sort: string | undefined) => string | undefined) => void;
  readonly columns: readonly ColumnId[];
  readonly selection?: Selection;
  readonly onSelect?: (selection: Selection) => void;
  readonly onOpen: (device: Device, newTab: boolean) => void;
  /** Shown when no device matches. */
  readonly empty: ReactNode;
}

/** Devices as the list of devices shows them, as a part of another page. It takes the height that it is given. */
export function DeviceGrid({ label, search, onSort, columns: ids, selection, onSelect, onOpen, empty }: DeviceGridProps): ReactNode {
  const { data: tags } = useQuery(listQuery('tags'));
  const { first, count, rowAt, setRange, inSight } = useDeviceRows(search);
  const tagNames = useMemo(() => new Map((tags ?? []).map(({ id, name }) => [id, name])), [tags]);
  const marks = useMarks(search.q);
  const columns = useMemo(
    () =>
      columnsFor(
        ids.map((id) => ({ id })),
        { marks, tagNames },
      ),
    [ids, marks, tagNames],
  );
  const [firstKey] = readSort(search.sort);
  const visibleIds = inSight.map(({ id }) => id).join();
  useEffect(() => (visibleIds === '' ? undefined : showDevices(visibleIds.split(','))), [visibleIds]);
  if (first.isError && first.data === undefined) return <ErrorState error={first.error} onRetry={() => void first.refetch()} />;
  if (first.data !== undefined && count === 0) return empty;
  return (
    <Grid
      label={label}
      columns={columns}
      count={first.data === undefined ? 12 : count}
      rowAt={rowAt}
      idOf={(device) => device.id}
      sort={firstKey === undefined ? undefined : { column: columnOf(firstKey.property) ?? '', descending: firstKey.descending }}
      onSort={(column) => {
        const property = propertyOf(column);
        if (property !== undefined) onSort((sort) => nextSort(sort, property));
      }}
      selection={selection}
      onSelect={onSelect}
      onOpen={onOpen}
      onRange={setRange}
      compact={(device) => <CompactDevice device={device} marks={marks} />}
      stale={first.isPlaceholderData}
    />
  );
}
