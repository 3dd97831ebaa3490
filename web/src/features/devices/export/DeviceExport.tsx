import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';

import { listQuery } from '../../../api/lists.js';
import { CsvExport } from '../../../ui/csv-export/CsvExport.js';
import type { CsvSource } from '../../../ui/csv-export/csv.js';
import { readColumns } from '../../../parts/devices/chosen-columns.js';
import type { Device, DeviceSearch } from '../../../model/devices/device-search.js';
import { searchDevices } from '../../../api/devices/device-list.js';
import { steadySort } from '../steady-sort.js';
import { t } from '../later-texts.js';
import { csvColumnsOf } from './device-csv.js';

/** As many devices as the service answers at once. */
const PAGE_SIZE = 1000;

interface DeviceExportProps {
  readonly search: DeviceSearch;
  readonly onClose: () => void;
}

/** Writes all devices that match into a file, with the columns that the list shows. */
export function DeviceExport({ search, onClose }: DeviceExportProps): ReactNode {
  const { data: tags } = useQuery(listQuery('tags'));
  if (tags === undefined) return null;
  return <Writing search={search} tagNames={new Map(tags.map(({ id, name }) => [id, name]))} onClose={onClose} />;
}

function Writing({ search, tagNames, onClose }: DeviceExportProps & { readonly tagNames: ReadonlyMap<string, string> }): ReactNode {
  const [source] = useState((): CsvSource<Device> => {
    const columns = csvColumnsOf(readColumns(search.cols).map(({ id }) => id));
    const steady = { ...search, sort: steadySort(search.sort) };
    return {
      header: columns.map(({ title }) => title),
      cellsOf: (device) => columns.map(({ cellOf }) => cellOf(device, tagNames)),
      async readPage(page, signal) {
        const { items, totalItems } = await searchDevices(steady, page, PAGE_SIZE, signal);
        return { rows: items ?? [], total: totalItems };
      },
    };
  });
  return <CsvExport title={t('export-title')} fileName="devices" source={source} onClose={onClose} />;
}
