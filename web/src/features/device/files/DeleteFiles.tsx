import type { ReactNode } from 'react';

import { deletePath, filesChanged } from '../../../api/devices/files.js';
import { problemOf } from '../../../problem/problem.js';
import { DeleteDialog } from '../../../ui/confirm/DeleteDialog.js';
import { describeProblem } from '../../../ui/problem-text.js';
import { toast, toastProblem } from '../../../ui/toast/toasts.js';
import { useCurrentDevice } from '../current-device.js';
import type { Entry } from './entries.js';
import { t } from './texts.js';

type Entries = readonly Entry[];

interface DeleteFilesProps {
  /** Entries to delete; none closes the dialog. */
  readonly entries: Entries;
  readonly onClose: () => void;
  /** Gets the paths of what was deleted, even if the dialog was closed before. */
  readonly onDeleted: (paths: readonly string[]) => void;
}

/** The name of the one entry; of several their number, which is typed to delete them. */
const nameOf = (entries: Entries): string => (entries.length === 1 ? entries[0].name : String(entries.length));

/** Deletes files and folders after their name, or their number, was typed. */
export function DeleteFiles({ entries, onClose, onDeleted }: DeleteFilesProps): ReactNode {
  const { device } = useCurrentDevice();
  return (
    <DeleteDialog
      subject={entries.length === 0 ? null : entries}
      onClose={onClose}
      nameOf={nameOf}
      title={(deleted) => (deleted.length === 1 ? t('delete-one', { name: nameOf(deleted) }) : t('delete-many', { count: deleted.length }))}
      text={() => t('delete-text')}
      action={() => t('delete')}
      act={async (deleted) => onDeleted(await deleteEach(device.id, deleted))}
    />
  );
}

/** Deletes one after the other, and returns the paths of those deleted. A failure does not stop the others and is reported at the end. */
async function deleteEach(deviceId: string, entries: Entries): Promise<readonly string[]> {
  const deleted: string[] = [];
  const failed: string[] = [];
  for (const { name, fullPath: filePath } of entries) {
    try {
      await deletePath(deviceId, filePath);
      deleted.push(filePath);
    } catch (error) {
      failed.push(`${name} (${describeProblem(problemOf(error))})`);
    }
  }
  void filesChanged(deviceId);
  if (deleted.length > 0) toast(t('deleted', { count: deleted.length }));
  if (failed.length > 0) toastProblem(t('delete-failed', { names: failed.join(', ') }));
  return deleted;
}
