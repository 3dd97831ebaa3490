import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useEffect, useMemo, useState } from 'react';

import { Selection } from '../../../ui/grid/selection.js';
import { isPhone, useMedia } from '../../../ui/media.js';
import { SplitPane } from '../../../ui/split-pane/SplitPane.js';
import { useCurrentDevice } from '../current-device.js';
import { ConflictDialog } from './upload/ConflictDialog.js';
import { DeleteFiles } from './DeleteFiles.js';
import { droppedFiles } from './upload/dropped-files.js';
import { DropZone } from './upload/DropZone.js';
import { type Entry, viewOf } from './entries.js';
import css from './FileBrowser.module.css';
import { FileList } from './FileList.js';
import { FileTools } from './FileTools.js';
import { FolderTree } from './FolderTree.js';
import { PathBar } from './PathBar.js';
import { crumbsOf } from './paths.js';
import { contentsQuery, downloadAddress, downloadArchive } from '../../../api/devices/files.js';
import { SelectionBar } from './SelectionBar.js';
import type { Sort } from './sorts.js';
import { t } from './texts.js';
import { UploadList } from './upload/UploadList.js';
import { useUpload } from './upload/useUpload.js';

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
  const contents = useQuery(contentsQuery(device.id, path));
  const { data, refetch, isFetching } = contents;

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
  const onSort = (next: Sort): void =>
    void navigate({
      to: '/devices/$deviceId/files',
      params: { deviceId: device.id },
      search: { path, sort: next },
      replace: true,
    });

  const list = (
    <FileList
      {...{ path, contents, entries, filter, sort, onSort, selection }}
      onClearFilter={() => setFilter('')}
      onSelect={setSelection}
      onGo={go}
      onDelete={(entry) => setDeleting(chosen.length > 0 ? chosen : [entry])}
    />
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
