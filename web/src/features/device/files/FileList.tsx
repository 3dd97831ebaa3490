import type { UseQueryResult } from '@tanstack/react-query';
import { type KeyboardEvent, type ReactNode, useMemo } from 'react';

import { FILES } from '../../../keyboard/shortcuts.js';
import { Button } from '../../../ui/button/Button.js';
import { copyText } from '../../../ui/copy/copy-text.js';
import { Grid } from '../../../ui/grid/Grid.js';
import type { Selection } from '../../../ui/grid/selection.js';
import { shortcutOf } from '../../../ui/kbd/shortcuts.js';
import { SkeletonList } from '../../../ui/skeleton/Skeleton.js';
import { EmptyState } from '../../../ui/states/EmptyState.js';
import { ErrorState } from '../../../ui/states/ErrorState.js';
import type { Schemas } from '../../../model/schemas.js';
import { useCurrentDevice } from '../current-device.js';
import { columnsFor, CompactEntry } from './columns.js';
import type { Entry } from './entries.js';
import css from './FileBrowser.module.css';
import { crumbsOf, parentOf } from './paths.js';
import { downloadAddress } from '../../../api/devices/files.js';
import type { Sort } from './sorts.js';
import { t } from './texts.js';

interface FileListProps {
  readonly path: string;
  readonly contents: UseQueryResult<Schemas['DeviceDirectoryContentsResponseDto']>;
  /** Entries that the filter lets through, sorted. */
  readonly entries: readonly Entry[];
  readonly filter: string;
  readonly onClearFilter: () => void;
  readonly sort: Sort;
  readonly onSort: (sort: Sort) => void;
  readonly selection: Selection;
  readonly onSelect: (selection: Selection) => void;
  readonly onGo: (path: string) => void;
  /** Asks about the selected entries, or about this one if none is. */
  readonly onDelete: (entry: Entry) => void;
}

/** The contents of a folder, with their keys. */
export function FileList(props: FileListProps): ReactNode {
  const { path, contents, entries, filter, onClearFilter, sort, onSort, selection, onSelect, onGo, onDelete } = props;
  const { data, error, refetch } = contents;
  const { device, can } = useCurrentDevice();
  const mayDownload = can('device.file-system.transfer-download');
  const mayUpload = can('device.file-system.transfer-upload');
  const mayDelete = can('device.file-system.delete');
  const columns = useMemo(
    () => columnsFor(mayDownload ? (entry: Entry) => downloadAddress(device.id, entry.fullPath) : null),
    [device.id, mayDownload],
  );
  const open = (entry: Entry): void => {
    if (entry.isDirectory) onGo(entry.fullPath);
    else onSelect(selection.only([entry.fullPath]));
  };
  const onRowKey = (entry: Entry, event: KeyboardEvent): boolean => {
    const act = shortcutOf(FILES, event);
    if (act === 'delete-file' && mayDelete) onDelete(entry);
    else if (act === 'copy-path') void copyText(entry.fullPath, t('copied'));
    else return false;
    return true;
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const parent = parentOf(path);
    if (shortcutOf(FILES, event) !== 'folder-up' || parent === null || event.target instanceof HTMLInputElement) return;
    event.preventDefault();
    onGo(parent);
  };
  return (
    // Keys of the whole list, with the focus anywhere in it.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div className={css.list} onKeyDown={onKeyDown}>
      {error !== null && data === undefined ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : data === undefined ? (
        <SkeletonList />
      ) : !data.directoryExists ? (
        <EmptyState title={t('no-folder')} actions={<Button onClick={() => onGo(crumbsOf(path)[0].path)}>{t('to-root')}</Button>}>
          {t('no-folder-text', { path })}
        </EmptyState>
      ) : entries.length === 0 ? (
        <EmptyState
          title={t(filter === '' ? 'empty' : 'filtered-empty')}
          actions={filter !== '' && <Button onClick={onClearFilter}>{t('filtered-empty-clear')}</Button>}
        >
          {filter === '' && mayUpload ? t('empty-text') : undefined}
        </EmptyState>
      ) : (
        <Grid
          label={t('list')}
          columns={columns}
          count={entries.length}
          rowAt={(index) => entries[index]}
          idOf={({ fullPath }) => fullPath}
          sort={{ column: sort.replace('-', ''), descending: sort.startsWith('-') }}
          onSort={(column) => onSort((sort === column ? `-${column}` : column) as Sort)}
          selection={selection}
          onSelect={onSelect}
          onOpen={open}
          onRowKey={onRowKey}
          compact={(entry) => <CompactEntry entry={entry} />}
        />
      )}
    </div>
  );
}
