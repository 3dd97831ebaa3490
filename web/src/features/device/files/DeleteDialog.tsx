import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import { api } from '../../../api/client.js';
import { problemOf } from '../../../api/problem.js';
import { ConfirmByName } from '../../../ui/confirm/Confirm.js';
import { describeProblem } from '../../../ui/problem-text.js';
import { toast, toastProblem } from '../../../ui/toast/toasts.js';
import { useCurrentDevice } from '../current-device.js';
import type { Entry } from './entries.js';
import { t } from './texts.js';

interface DeleteDialogProps {
  /** What will be deleted; none closes the dialog. */
  readonly entries: readonly Entry[];
  readonly onClose: () => void;
  readonly onDeleted: () => void;
}

/** Deletes files and folders after their name, or their number, was typed. */
export function DeleteDialog({ entries, onClose, onDeleted }: DeleteDialogProps): ReactNode {
  const { device } = useCurrentDevice();
  const remove = useMutation({
    async mutationFn() {
      const failed: string[] = [];
      for (const { name, fullPath: filePath } of entries) {
        await api
          .DELETE('/api/v1/device-file-system/delete-path/{deviceId}', { params: { path: { deviceId: device.id } }, body: { filePath } })
          .catch((error: unknown) => failed.push(`${name} (${describeProblem(problemOf(error))})`));
      }
      if (failed.length < entries.length) toast(t('deleted', { count: entries.length - failed.length }));
      if (failed.length > 0) toastProblem(t('delete-failed', { names: failed.join(', ') }));
    },
    onSuccess: onDeleted,
  });
  const [first] = entries;
  const isOne = entries.length === 1;
  return (
    <ConfirmByName
      open={entries.length > 0}
      onClose={onClose}
      name={isOne ? first.name : String(entries.length)}
      title={isOne ? t('delete-one', { name: first.name }) : t('delete-many', { count: entries.length })}
      action={t('delete')}
      busy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate()}
    >
      {t('delete-text')}
    </ConfirmByName>
  );
}
