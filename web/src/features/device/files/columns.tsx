import { File, FileLock, Folder } from 'lucide-react';
import type { ReactNode } from 'react';

import { formatBytes, formatInstant } from '../../../i18n/format.js';
import type { Column } from '../../../ui/grid/Grid.js';
import type { Entry } from './entries.js';
import css from './FileBrowser.module.css';
import { t } from './texts.js';

const iconOf = ({ isDirectory, canRead }: Entry): typeof File => (isDirectory ? Folder : canRead ? File : FileLock);

/** The columns of a folder. `addressOf` tells where a file is downloaded from; null if it may not be. */
export const columnsFor = (addressOf: ((entry: Entry) => string) | null): readonly Column<Entry>[] => [
  {
    id: 'name',
    title: t('name'),
    width: 140,
    grow: 1,
    sortable: true,
    cell: (entry) => <Name entry={entry} address={entry.isDirectory || addressOf === null ? null : addressOf(entry)} />,
  },
  {
    id: 'size',
    title: t('size'),
    width: 88,
    atEnd: true,
    sortable: true,
    cell: ({ isDirectory, size }) => (isDirectory ? '' : formatBytes(size)),
  },
  { id: 'modified', title: t('modified'), width: 196, sortable: true, cell: ({ lastModified }) => formatInstant(lastModified) },
];

function Name({ entry, address }: { readonly entry: Entry; readonly address: string | null }): ReactNode {
  const Icon = iconOf(entry);
  return (
    <span className={css.name} data-hidden={entry.isHidden || undefined}>
      <Icon size={16} strokeWidth={1.75} aria-hidden />
      {address === null ? (
        <span className="cut">{entry.name}</span>
      ) : (
        <a href={address} download={entry.name} className={css.file} title={t('download')} tabIndex={-1}>
          {entry.name}
        </a>
      )}
    </span>
  );
}

/** An entry on a phone: two lines. */
export function CompactEntry({ entry }: { readonly entry: Entry }): ReactNode {
  const Icon = iconOf(entry);
  return (
    <span className={css.compact}>
      <Icon size={20} strokeWidth={1.75} aria-hidden />
      <span className="grow">
        <span className={css.compactName}>{entry.name}</span>
        <span className="meta">
          {[entry.isDirectory ? '' : formatBytes(entry.size), formatInstant(entry.lastModified)].filter(Boolean).join(' · ')}
        </span>
      </span>
    </span>
  );
}
