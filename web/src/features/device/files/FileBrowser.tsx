import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type KeyboardEvent, type ReactNode, useEffect, useMemo, useState } from 'react';

import { FILES } from '../../../keyboard/shortcuts.js';
import { Button } from '../../../ui/button/Button.js';
import { copyText } from '../../../ui/copy/copy-text.js';
import { Grid } from '../../../ui/grid/Grid.js';
import { Selection } from '../../../ui/grid/selection.js';
import { shortcutOf } from '../../../ui/kbd/shortcuts.js';
import { isPhone, useMedia } from '../../../ui/media.js';
import { SkeletonList } from '../../../ui/skeleton/Skeleton.js';
import { SplitPane } from '../../../ui/split-pane/SplitPane.js';
import { EmptyState } from '../../../ui/states/EmptyState.js';
import { ErrorState } from '../../../ui/states/ErrorState.js';
import { useCurrentDevice } from '../current-device.js';
import { columnsFor, CompactEntry } from './columns.js';
import { ConflictDialog } from './ConflictDialog.js';
import { DeleteFiles } from './DeleteFiles.js';
import { droppedFiles } from './dropped-files.js';
import { DropZone } from './DropZone.js';
import { type Entry, viewOf } from './entries.js';
import css from './FileBrowser.module.css';
import { FileTools } from './FileTools.js';
import { FolderTree } from './FolderTree.js';
import { PathBar } from './PathBar.js';
import { crumbsOf, parentOf } from './paths.js';
import { contentsQuery, downloadAddress, downloadArchive } from '../../../api/devices/files.js';
import { SelectionBar } from './SelectionBar.js';
import type { Sort } from './sorts.js';
import { t } from './texts.js';
import { UploadList } from './UploadList.js';
import { useUpload } from './useUpload.js';

interface FileBrowserProps {
  readonly drives: readonly Entry[];
  readonly path: string;
  readonly sort: Sort;
}

/** A folder of the device: its contents, the folders around it, and actions on them. */
export function FileBrowser({ drives, path, sort }: FileBrowserProps): ReactNode {
  const { device, name, can } = useCurrentDevice();
  const navigate = useNavigate();
  const [filter, setFilter] = useState('');
  const [showHidden, setShowHidden] = useState(false);
  const [selection, setSelection] = useState(Selection.none);
  const [deleting, setDeleting] = useState<readonly Entry[]>([]);
  const isSmall = useMedia(isPhone);
  const { upload, conflict } = useUpload();
  const { data, error, refetch, isFetching } = useQuery(contentsQuery(device.id, path));

  const go = (to: string): void =>
    void navigate({ to: '/devices/$deviceId/files', params: { deviceId: device.id }, search: { path: to, sort } });
  useEffect(() => {
    setFilter('');
    setSelection(Selection.none);
  }, [path]);

  const entries = useMemo(() => viewOf(data?.items ?? [], { filter, sort, showHidden }), [data, filter, sort, showHidden]);
  const chosen = entries.filter(({ fullPath }) => selection.has(fullPath));
  const mayUpload = can('device.file-system.transfer-upload');
  const mayDownload = can('device.file-system.transfer-download');
  const mayDelete = can('device.file-system.delete');
  const columns = useMemo(
    () => columnsFor(mayDownload ? (entry: Entry) => downloadAddress(device.id, entry.fullPath) : null),
    [device.id, mayDownload],
  );

  const download = (wanted: readonly Entry[]): void => {
    const [only] = wanted;
    if (wanted.length === 1 && only !== undefined && !only.isDirectory) location.assign(downloadAddress(device.id, only.fullPath));
    else if (wanted.length > 0)
      downloadArchive(
        device.id,
        `${name} ${crumbsOf(path).at(-1)?.name.replaceAll(/[/:]/g, '') ?? ''}`.trim(),
        wanted.map(({ fullPath }) => fullPath),
      );
  };
  const open = (entry: Entry): void => {
    if (entry.isDirectory) go(entry.fullPath);
    else setSelection(selection.only([entry.fullPath]));
  };
  const copyPath = (entry: Entry): void => void copyText(entry.fullPath, t('copied'));
  const onRowKey = (entry: Entry, event: KeyboardEvent): boolean => {
    const act = shortcutOf(FILES, event);
    if (act === 'delete-file' && mayDelete) setDeleting(chosen.length > 0 ? chosen : [entry]);
    else if (act === 'copy-path') copyPath(entry);
    else return false;
    return true;
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const parent = parentOf(path);
    if (shortcutOf(FILES, event) !== 'folder-up' || parent === null || event.target instanceof HTMLInputElement) return;
    event.preventDefault();
    go(parent);
  };
  const onSort = (column: string): void =>
    void navigate({
      to: '/devices/$deviceId/files',
      params: { deviceId: device.id },
      search: { path, sort: (sort === column ? `-${column}` : column) as Sort },
      replace: true,
    });

  const list = (
    // Keys of the whole list, with the focus anywhere in it.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div className={css.list} onKeyDown={onKeyDown}>
      {error !== null && data === undefined ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : data === undefined ? (
        <SkeletonList />
      ) : !data.directoryExists ? (
        <EmptyState title={t('no-folder')} actions={<Button onClick={() => go(crumbsOf(path)[0].path)}>{t('to-root')}</Button>}>
          {t('no-folder-text', { path })}
        </EmptyState>
      ) : entries.length === 0 ? (
        <EmptyState
          title={t(filter === '' ? 'empty' : 'filtered-empty')}
          actions={filter !== '' && <Button onClick={() => setFilter('')}>{t('filtered-empty-clear')}</Button>}
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
          onSort={onSort}
          selection={selection}
          onSelect={setSelection}
          onOpen={open}
          onRowKey={onRowKey}
          compact={(entry) => <CompactEntry entry={entry} />}
        />
      )}
    </div>
  );
  return (
    <DropZone path={path} isEnabled={mayUpload} onDrop={(transfer) => void droppedFiles(transfer).then((files) => upload(files, path))}>
      <div className={css.head}>
        <PathBar path={path} onGo={go} />
        <FileTools
          path={path}
          filter={filter}
          onFilter={setFilter}
          showHidden={showHidden}
          onShowHidden={setShowHidden}
          isReading={isFetching}
          onRead={() => void refetch()}
          onUpload={(files) => void upload(files, path)}
        />
      </div>
      {isSmall ? (
        list
      ) : (
        <SplitPane
          id="files"
          label={t('folders')}
          defaultSize={240}
          start={<FolderTree drives={drives} path={path} onGo={go} />}
          end={list}
        />
      )}
      {chosen.length > 0 && (
        <SelectionBar
          count={chosen.length}
          onDownload={mayDownload ? () => download(chosen) : null}
          onDelete={mayDelete ? () => setDeleting(chosen) : null}
          onClear={() => setSelection(Selection.none)}
        />
      )}
      <UploadList deviceId={device.id} />
      <ConflictDialog conflict={conflict} />
      <DeleteFiles
        entries={deleting}
        onClose={() => setDeleting([])}
        onDeleted={() => {
          setSelection(Selection.none);
          void refetch();
        }}
      />
    </DropZone>
  );
}
