import { type ReactNode, useState } from 'react';

import { formatNumber } from '../../i18n/format.js';
import { CsvExport } from '../../ui/csv-export/CsvExport.js';
import type { CsvSource } from '../../ui/csv-export/csv.js';
import type { Entry } from './entry.js';
import { filterOf } from './kinds.js';
import { namesOf } from './names.js';
import { type Log, readEntries } from '../../api/access/change-log.js';
import type { ChangeLogAddress } from '../../model/change-log-search.js';
import { actorOf, sentenceOf } from './sentence.js';
import { t } from './texts.js';

/** Most entries of a file. */
const MAXIMUM = 50_000;

interface ChangeLogExportProps {
  readonly log: Log;
  readonly search: ChangeLogAddress;
  readonly onClose: () => void;
}

/** Writes the entries that match into a file, the newest first. */
export function ChangeLogExport({ log, search, onClose }: ChangeLogExportProps): ReactNode {
  const [source] = useState((): CsvSource<Entry> => {
    // New entries would move others to the next page while the file is written.
    let after: string | undefined;
    let read = 0;
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
        actorOf(entry, namesOf(entry)),
        sentenceOf(entry, namesOf(entry)),
        entry.actionType,
        entry.targetType,
        entry.targetId,
        entry.ipAddress,
        entry.beforeJson,
        entry.afterJson,
        entry.id,
      ],
      async readPage(page, signal) {
        if (page === 0) [after, read] = [undefined, 0];
        const { items, next } = await readEntries(log, filterOf(settled), after, signal);
        after = next ?? undefined;
        read += items.length;
        return { rows: items, total: next === null || read >= MAXIMUM ? read : null };
      },
    };
  });
  return <CsvExport title={t('export-title', { shown: formatNumber(MAXIMUM) })} fileName="change-log" source={source} onClose={onClose} />;
}
