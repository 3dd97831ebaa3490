import { type ReactNode, useState } from 'react';

import { CsvExport } from '../../ui/csv-export/CsvExport.js';
import type { CsvSource } from '../../ui/csv-export/csv.js';
import type { Entry, NameOf } from './entry.js';
import { type Log, readChangeLog } from '../../api/access/change-log.js';
import type { ChangeLogAddress } from '../../model/change-log-search.js';
import { actorOf, sentenceOf } from './sentence.js';
import { t } from './texts.js';

/** As many entries as the service answers at once. */
const PAGE_SIZE = 200;

interface ChangeLogExportProps {
  readonly log: Log;
  readonly search: ChangeLogAddress;
  readonly nameOf: NameOf;
  readonly onClose: () => void;
}

/** Writes all entries that match into a file, newest first. */
export function ChangeLogExport({ log, search, nameOf, onClose }: ChangeLogExportProps): ReactNode {
  const [source] = useState((): CsvSource<Entry> => {
    // New entries would move others to the next page while the file is written.
    const settled = { ...search, to: search.to ?? new Date().toISOString() };
    return {
      header: [
        t('time'),
        t('actor'),
        t('sentence'),
        t('action'),
        t('target'),
        t('target-id'),
        t('address'),
        t('state-before'),
        t('state-after'),
        t('id'),
      ],
      cellsOf: (entry) => [
        entry.createdAt,
        actorOf(entry, nameOf),
        sentenceOf(entry, nameOf),
        entry.actionType,
        entry.targetType,
        entry.targetId,
        entry.ipAddress,
        entry.beforeJson,
        entry.afterJson,
        entry.id,
      ],
      async readPage(page, signal) {
        const { items, totalItems } = await readChangeLog(log, settled, { page, pageSize: PAGE_SIZE }, signal);
        return { rows: items ?? [], total: totalItems };
      },
    };
  });
  return <CsvExport title={t('export-title')} fileName="change-log" source={source} onClose={onClose} />;
}
