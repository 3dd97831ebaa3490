import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';

import { deviceFieldsQuery } from '../../../api/devices/device-fields.js';
import { type ListedValues, readListedValues } from '../../../api/devices/listed-values.js';
import { listQuery } from '../../../api/lists.js';
import { toastProblem } from '../../../ui/toast/toasts.js';
import { CsvExport } from '../../../ui/csv-export/CsvExport.js';
import type { CsvSource } from '../../../ui/csv-export/csv.js';
import { type ColumnId, isFieldColumn, readColumns } from '../../../parts/devices/chosen-columns.js';
import type { Device, DeviceSearch } from '../../../model/devices/device-search.js';
import { searchDevices } from '../../../api/devices/device-list.js';
import { steadySort } from '../steady-sort.js';
import { t } from '../later-texts.js';
import { csvColumnsOf } from './device-csv.js';

/** A device with the values of all that were read with it. */
interface Row {
  readonly device: Device;
  readonly values: ReadonlyMap<string, ListedValues>;
}

const NO_VALUES: Row['values'] = new Map();

/** As many devices as the service answers at once. */
const PAGE_SIZE = 1000;

interface DeviceExportProps {
  readonly search: DeviceSearch;
  readonly onClose: () => void;
}

/** Writes all devices that match into a file, with the columns that the list shows. */
export function DeviceExport({ search, onClose }: DeviceExportProps): ReactNode {
  const { data: tags, error: tagsError } = useQuery(listQuery('tags'));
  const ids = readColumns(search.cols).map(({ id }) => id);
  const hasFields = ids.some(isFieldColumn);
  const { data: fields = hasFields ? undefined : [], error: fieldsError } = useQuery({ ...deviceFieldsQuery, enabled: hasFields });
  const error = fieldsError ?? (tags === undefined ? tagsError : null);
  useEffect(() => {
    if (error === null) return;
    toastProblem(error);
    onClose();
  }, [error, onClose]);
  if (tags === undefined || fields === undefined) return null;
  const fieldNames = namesOf(fields.filter(({ isListed }) => isListed));
  return <Writing {...{ search, ids, fieldNames, onClose }} tagNames={namesOf(tags)} />;
}

const namesOf = (items: readonly { readonly id: string; readonly name: string }[]): ReadonlyMap<string, string> =>
  new Map(items.map(({ id, name }) => [id, name]));

interface WritingProps extends DeviceExportProps {
  readonly ids: readonly ColumnId[];
  readonly tagNames: ReadonlyMap<string, string>;
  readonly fieldNames: ReadonlyMap<string, string>;
}

function Writing({ search, ids, tagNames, fieldNames, onClose }: WritingProps): ReactNode {
  const [source] = useState((): CsvSource<Row> => {
    const columns = csvColumnsOf(ids, fieldNames);
    const steady = { ...search, sort: steadySort(search.sort) };
    return {
      header: columns.map(({ title }) => title),
      cellsOf: ({ device, values }) => columns.map(({ cellOf }) => cellOf(device, { tagNames, values })),
      async readPage(page, signal) {
        const { items, totalItems } = await searchDevices(steady, page, PAGE_SIZE, signal);
        const devices = items ?? [];
        const values =
          fieldNames.size > 0
            ? await readListedValues(
                devices.map(({ id }) => id),
                signal,
              )
            : NO_VALUES;
        return { rows: devices.map((device) => ({ device, values })), total: totalItems };
      },
    };
  });
  return <CsvExport title={t('export-title')} fileName="devices" source={source} onClose={onClose} />;
}
