import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useEffect, useMemo, useState } from 'react';

import { contentsQuery } from '../../../api/devices/files.js';
import { choiceOf, type SearchChange } from '../../../model/search-params.js';
import { Selection } from '../../../ui/grid/selection.js';
import { isPhone, useMedia } from '../../../ui/media.js';
import { SplitPane } from '../../../ui/split-pane/SplitPane.js';
import { toastProblem } from '../../../ui/toast/toasts.js';
import { useCurrentDevice } from '../current-device.js';
import { type Entry, viewOf } from './entries.js';
import css from './FileBrowser.module.css';
import { FileList } from './FileList.js';
import { FileTools } from './FileTools.js';
import { FolderTree } from './FolderTree.js';
import { PathBar } from './PathBar.js';
import { parentOf } from './paths.js';
import { SelectionBar } from './SelectionBar.js';
import { DEFAULT_SORT, type Sort, SORTS } from './sorts.js';
import { t } from './texts.js';
import { ConflictDialog } from './upload/ConflictDialog.js';
import { droppedFiles } from './upload/dropped-files.js';
import { type DropTarget, DropZone } from './upload/DropZone.js';
import { UploadList } from './upload/UploadList.js';
import { useUpload } from './upload/useUpload.js';
import { useFileActs } from './useFileActs.js';

/** The part of the address about files. */
interface FilesAddress {
  readonly path?: string;
  readonly sort?: Sort;
  readonly hidden?: boolean;
  /** Name of the file in the folder that is open. */
  readonly file?: string;
}

interface FileBrowserProps {
  readonly drives: readonly Entry[];
  readonly path: string;
  readonly sort: Sort;
  readonly showHidden: boolean;
}

/** A folder of the device: its contents, the folders around it, and actions on them. */
export function FileBrowser({ drives, path, sort, showHidden }: FileBrowserProps): ReactNode {
  const { device, can } = useCurrentDevice();
  const navigate = useNavigate();
  const [filter, setFilter] = useState('');
  const [selection, setSelection] = useState(Selection.none);
  const isSmall = useMedia(isPhone);
  const { upload, conflict } = useUpload();
  const contents = useQuery(contentsQuery(device.id, path));
  const { data, refetch, isFetching } = contents;
  const show = (change: SearchChange<FilesAddress>, replace = false): void =>
    void navigate({
      to: '/devices/$deviceId/files',
      params: { deviceId: device.id },
      search: (now) => change({ path: now.path, sort: choiceOf(now.sort, SORTS), hidden: now.hidden, file: now.file }),
      replace,
    });
  const go = (to: string): void => show((now) => ({ ...now, path: to, file: undefined }));
  const goUp = (): void => show((now) => ({ ...now, path: parentOf(now.path ?? path) ?? now.path, file: undefined }));
  const { actsOn, dialogs } = useFileActs(path, {
    onOpen: ({ isDirectory, fullPath, name }) => (isDirectory ? go(fullPath) : show((now) => ({ ...now, path, file: name }))),
    // The folder may have been left since, and others be selected.
    onGone: (paths) => setSelection((now) => now.without(paths)),
  });
  useEffect(() => {
    setFilter('');
    setSelection(Selection.none);
  }, [path]);

  const entries = useMemo(() => viewOf(data?.items ?? [], { filter, sort, showHidden }), [data, filter, sort, showHidden]);
  const chosen = entries.filter(({ fullPath }) => selection.has(fullPath));
  const folderAt = (at: Element): DropTarget | null => {
    const element = at.closest('[data-folder], [role="row"][data-id]');
    const node = element?.getAttribute('data-folder') ?? null;
    const row = entries.find(({ fullPath, isDirectory }) => isDirectory && fullPath === element?.getAttribute('data-id'));
    const found = node ?? row?.fullPath;
    return element === null || found === undefined ? null : { path: found, element };
  };
  const list = (
    <FileList
      {...{ path, contents, entries, filter, sort, selection }}
      onSort={(next) => show((now) => ({ ...now, sort: next(now.sort ?? DEFAULT_SORT) }), true)}
      onClearFilter={() => setFilter('')}
      onSelect={setSelection}
      onGo={go}
      onUp={goUp}
      actsOf={(entry) => actsOn([entry])}
      actsOn={(entry) => actsOn(selection.has(entry.fullPath) ? chosen : [entry])}
    />
  );
  return (
    <DropZone
      path={path}
      isEnabled={can('device.file-system.transfer-upload')}
      folderAt={folderAt}
      onDrop={(transfer, to) =>
        void droppedFiles(transfer)
          .then((files) => upload(files, to))
          .catch(toastProblem)
      }
    >
      <div className={css.head}>
        <PathBar path={path} onGo={go} onUp={goUp} />
        <FileTools
          path={path}
          filter={filter}
          onFilter={setFilter}
          showHidden={showHidden}
          onToggleHidden={() => show((now) => ({ ...now, hidden: now.hidden === true ? undefined : true }), true)}
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
          start={<FolderTree {...{ drives, path, showHidden }} onGo={go} />}
          end={list}
        />
      )}
      {chosen.length > 0 && <SelectionBar count={chosen.length} acts={actsOn(chosen)} onClear={() => setSelection(Selection.none)} />}
      <UploadList deviceId={device.id} />
      <ConflictDialog conflict={conflict} />
      {dialogs}
    </DropZone>
  );
}
