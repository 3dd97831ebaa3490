import type { UseQueryResult } from '@tanstack/react-query';
import { type KeyboardEvent, type ReactNode, useMemo } from 'react';

import { FILES } from '../../../keyboard/shortcuts.js';
import { Button } from '../../../ui/button/Button.js';
import { Grid } from '../../../ui/grid/Grid.js';
import { useContextMenu } from '../../../ui/menu/ContextMenu.js';
import { isPhone, useMedia } from '../../../ui/media.js';
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
import { crumbsOf } from './paths.js';
import { downloadAddress } from '../../../api/devices/files.js';
import type { Sort } from './sorts.js';
import { t } from './texts.js';
import { type FileActs, selectAct } from './useFileActs.js';

interface FileListProps {
  readonly path: string;
  readonly contents: UseQueryResult<Schemas['DeviceDirectoryContentsResponseDto']>;
  /** Entries that the filter lets through, sorted. */
  readonly entries: readonly Entry[];
  readonly filter: string;
  readonly onClearFilter: () => void;
  readonly sort: Sort;
  /** Sorts by what the function makes of the present order, which may be newer than the shown one. */
  readonly onSort: (next: (sort: Sort) => Sort) => void;
  readonly selection: Selection;
  readonly onSelect: (selection: Selection) => void;
  readonly onGo: (path: string) => void;
  /** Goes to the folder above that in the address, which may be newer than the shown one. */
  readonly onUp: () => void;
  /** Acts on this entry. */
  readonly actsOf: (entry: Entry) => FileActs;
  /** Acts on the selected entries if this is one of them, else on this one. */
  readonly actsOn: (entry: Entry) => FileActs;
}

/** The contents of a folder, with their keys. */
export function FileList(props: FileListProps): ReactNode {
  const { path, contents, entries, filter, onClearFilter, sort, onSort, selection, onSelect, onGo, onUp, actsOf, actsOn } = props;
  const { data, error, refetch } = contents;
  const { device, can } = useCurrentDevice();
  const mayDownload = can('device.file-system.transfer-download');
  const mayUpload = can('device.file-system.transfer-upload');
  const { openMenu, menu } = useContextMenu();
  const isSmall = useMedia(isPhone);
  const columns = useMemo(
    () => columnsFor(mayDownload ? (entry: Entry) => downloadAddress(device.id, entry.fullPath) : null),
    [device.id, mayDownload],
  );
  const open = (entry: Entry): void => {
    const act = actsOf(entry).get('open');
    if (act === undefined || act.disabled === true) onSelect(selection.only([entry.fullPath]));
    else act.onSelect();
  };
  const onRowKey = (entry: Entry, event: KeyboardEvent): boolean => {
    const key = shortcutOf(FILES, event);
    const act = key === undefined ? undefined : actsOn(entry).get(key);
    act?.onSelect();
    return act !== undefined;
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (shortcutOf(FILES, event) !== 'folder-up' || event.target instanceof HTMLInputElement) return;
    event.preventDefault();
    onUp();
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
          onSort={(column) => onSort((now) => (now === column ? `-${column}` : column) as Sort)}
          selection={selection}
          onSelect={onSelect}
          onOpen={open}
          onRowKey={onRowKey}
          pressOpensMenu
          onMenu={(entry, event) => {
            const acts = [...actsOn(entry).values()];
            const choose = selectAct(() => onSelect(selection.toggled([entry.fullPath])));
            openMenu(event, isSmall ? [choose, null, ...acts] : acts);
          }}
          compact={(entry) => <CompactEntry entry={entry} />}
        />
      )}
      {menu}
    </div>
  );
}
