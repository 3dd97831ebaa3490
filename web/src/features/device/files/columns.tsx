import { File, FileLock, Folder } from 'lucide';
import type { ReactNode } from 'react';

import { formatBytes, formatInstant } from '../../../i18n/format.js';
import { downloadLinked } from '../../../parts/download/download.js';
import type { Column } from '../../../ui/grid/layout.js';
import { Icon, type IconSize } from '../../../ui/icon/Icon.js';
import type { Entry } from './entries.js';
import { draggedFile } from './upload/dragged-file.js';
import css from './FileBrowser.module.css';
import { t } from './texts.js';

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

function EntryIcon({ entry: { isDirectory, canRead }, size }: { readonly entry: Entry; readonly size: IconSize }): ReactNode {
  if (isDirectory) return <Icon of={Folder} size={size} />;
  return <Icon of={canRead ? File : FileLock} size={size} />;
}

function Name({ entry, address }: { readonly entry: Entry; readonly address: string | null }): ReactNode {
  return (
    <span className={css.name} data-hidden={entry.isHidden || undefined}>
      <EntryIcon entry={entry} size={16} />
      {address === null ? (
        <span className="cut">{entry.name}</span>
      ) : (
        <a
          href={address}
          download={entry.name}
          className={css.file}
          title={t('download')}
          tabIndex={-1}
          onClick={downloadLinked}
          onDragStart={(event) => event.dataTransfer.setData('DownloadURL', draggedFile(entry.name, event.currentTarget.href))}
        >
          {entry.name}
        </a>
      )}
    </span>
  );
}

/** An entry on a phone: two lines. */
export function CompactEntry({ entry }: { readonly entry: Entry }): ReactNode {
  return (
    <span className={css.compact}>
      <EntryIcon entry={entry} size={20} />
      <span className="grow">
        <span className={css.compactName}>{entry.name}</span>
        <span className="meta">
          {[entry.isDirectory ? '' : formatBytes(entry.size), formatInstant(entry.lastModified)].filter(Boolean).join(' · ')}
        </span>
      </span>
    </span>
  );
}
