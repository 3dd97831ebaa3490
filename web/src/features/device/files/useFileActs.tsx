import { useQuery } from '@tanstack/react-query';
import { Copy, Download, FileText, FolderOpen, SquareCheck, TextCursorInput, Trash2 } from 'lucide';
import { type ReactNode, useEffect, useState } from 'react';

import { downloadAddress, downloadArchive, featuresQuery } from '../../../api/devices/files.js';
import { download as fetchFile, whenSignedIn } from '../../../parts/download/download.js';
import { keysOf } from '../../../keyboard/shortcuts.js';
import { copyText } from '../../../ui/copy/copy-text.js';
import type { MenuAct } from '../../../ui/menu/entries.js';
import { toast } from '../../../ui/toast/toasts.js';
import { useCurrentDevice } from '../current-device.js';
import { DeleteFiles } from './DeleteFiles.js';
import { type Entry, MAX_TEXT_BYTES } from './entries.js';
import { crumbsOf } from './paths.js';
import { RenameFile } from './RenameFile.js';
import { t } from './texts.js';

/** Acts by name, which is that of their shortcut if they have one. One that is not offered is left out. */
export type FileActs = ReadonlyMap<string, MenuAct>;

/** The actions for some entries of a folder, and their dialogs. */
export function useFileActs(
  path: string,
  { onOpen, onGone }: { readonly onOpen: (entry: Entry) => void; readonly onGone: (paths: readonly string[]) => void },
): { readonly actsOn: (entries: readonly Entry[]) => FileActs; readonly dialogs: ReactNode } {
  const { device, name, can } = useCurrentDevice();
  const [deleting, setDeleting] = useState<readonly Entry[]>([]);
  const [renaming, setRenaming] = useState<Entry | null>(null);
  const mayWrite = can('device.file-system.write');
  const { data: features } = useQuery({ ...featuresQuery(device.id), enabled: mayWrite });
  // The next folder may have files of the same names.
  useEffect(() => {
    setDeleting([]);
    setRenaming(null);
  }, [path]);

  const download = (entries: readonly Entry[]): void => {
    const [only] = entries;
    if (entries.length === 1 && !only.isDirectory) void fetchFile(downloadAddress(device.id, only.fullPath), only.name);
    else
      void whenTabAllowed(() =>
        downloadArchive(
          device.id,
          `${name} ${crumbsOf(path).at(-1)?.name.replaceAll(/[/:]/g, '') ?? ''}`.trim(),
          entries.map(({ fullPath }) => fullPath),
        ),
      );
  };
  const actsOn = (entries: readonly Entry[]): FileActs => {
    const acts = new Map<string, MenuAct>();
    if (entries.length === 0) return acts;
    const [only] = entries;
    const isOne = entries.length === 1;
    const mayDownload = can('device.file-system.transfer-download');
    if (isOne && (only.isDirectory || mayDownload)) {
      const isLarge = !only.isDirectory && only.size > MAX_TEXT_BYTES;
      const act = { label: t('open'), icon: only.isDirectory ? FolderOpen : FileText, shortcut: keysOf('row-open') };
      acts.set('open', { ...act, ...(isLarge && { disabled: true, hint: t('open-limit') }), onSelect: () => onOpen(only) });
    }
    if (mayDownload) {
      const label = t(isOne && !only.isDirectory ? 'download' : 'archive');
      acts.set('download', { label, icon: Download, onSelect: () => download(entries) });
    }
    if (isOne && mayWrite && features?.canRename === true) {
      acts.set('rename-file', {
        label: t('rename'),
        icon: TextCursorInput,
        shortcut: keysOf('rename-file'),
        onSelect: () => setRenaming(only),
      });
    }
    const count = entries.length;
    const copy = (): void => void copyText(entries.map(({ fullPath }) => fullPath).join('\n'), t('copied', { count }));
    acts.set('copy-path', { label: t('copy-path', { count }), icon: Copy, shortcut: keysOf('copy-path'), onSelect: copy });
    if (can('device.file-system.delete')) {
      const act = { label: t('delete'), icon: Trash2, danger: true, shortcut: keysOf('delete-file') };
      acts.set('delete-file', { ...act, onSelect: () => setDeleting(entries) });
    }
    return acts;
  };
  return {
    actsOn,
    dialogs: (
      <>
        <RenameFile entry={renaming} onClose={() => setRenaming(null)} onRenamed={({ fullPath }) => onGone([fullPath])} />
        <DeleteFiles entries={deleting} onClose={() => setDeleting([])} onDeleted={onGone} />
      </>
    ),
  };
}

/**
 * Begins a download that opens a tab. Browsers allow that for a few seconds after a click: if the answer about the session took longer, a
 * notification asks for another click.
 */
const whenTabAllowed = (begin: () => void): Promise<void> =>
  whenSignedIn(() => {
    if (navigator.userActivation.isActive) begin();
    else toast(t('archive-click'), { action: { label: t('download'), run: begin } });
  });

/** The entry of a menu that selects its row, where there is no checkbox. */
export const selectAct = (onSelect: () => void): MenuAct => ({ label: t('select'), icon: SquareCheck, onSelect });
