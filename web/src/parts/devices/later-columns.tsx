import { type DeviceField, deviceFieldsQuery } from '../../api/devices/device-fields.js';
import { queryClient } from '../../api/queries.js';
import { formatGibibytes, formatNumber } from '../../i18n/format.js';
import { type ColumnId, isFieldColumn } from './chosen-columns.js';
import { columnName } from './column-names.js';
import { type Cell, figures, found, type LaterColumns, list } from './cells.js';
import { FieldCell } from './FieldCell.js';
import { toastProblem } from '../../ui/toast/toasts.js';

const CELLS: { readonly [I in ColumnId]?: Cell } = {
  dnsHostName: ({ dnsHostName }, context) => found(dnsHostName, context),
  localIpV6: ({ localIpV6 }, context) => figures(localIpV6, context),
  publicIp: ({ publicIpV4, publicIpV6 }, context) => figures(publicIpV4 || publicIpV6, context),
  mac: ({ macAddresses }, context) => <span className="mono">{found(list(macAddresses), context)}</span>,
  processors: ({ processorCount }) => formatNumber(processorCount),
  memory: ({ totalMemory }) => formatGibibytes(totalMemory),
  storage: ({ totalStorage }) => formatGibibytes(totalStorage),
};

/** Loads the columns. Without the fields, the others are shown all the same. */
export async function loadColumns(): Promise<LaterColumns> {
  try {
    return laterColumns(await queryClient.fetchQuery(deviceFieldsQuery));
  } catch (error) {
    toastProblem(error);
    return laterColumns([]);
  }
}

/** The columns with those of the fields that the tenant offers. */
function laterColumns(fields: readonly DeviceField[]): LaterColumns {
  const offered = new Map(fields.filter(({ isListed }) => isListed).map((field) => [`field-${field.id}`, field]));
  return {
    cell(id) {
      const field = isFieldColumn(id) ? offered.get(id) : undefined;
      if (field === undefined) return CELLS[id];
      return (device, { marks }) => <FieldCell field={field} deviceId={device.id} marks={marks} />;
    },
    title: (id) => (isFieldColumn(id) ? offered.get(id)?.name : columnName(id)),
  };
}
