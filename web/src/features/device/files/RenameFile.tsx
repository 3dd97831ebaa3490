import type { ReactNode } from 'react';

import { renamePath } from '../../../api/devices/files.js';
import type { Schemas } from '../../../model/schemas.js';
import { TextField } from '../../../ui/field/Field.js';
import { FormDialog } from '../../../ui/form/FormDialog.js';
import { toast } from '../../../ui/toast/toasts.js';
import { useCurrentDevice } from '../current-device.js';
import { type Entry, stemOf } from './entries.js';
import { t } from './texts.js';

type Field = Extract<keyof Schemas['RenameDevicePathRequestDto'], 'newName'>;

interface RenameFileProps {
  /** Entry to rename; null closes the dialog. */
  readonly entry: Entry | null;
  readonly onClose: () => void;
  readonly onRenamed: (entry: Entry) => void;
}

/** Gives a file or folder another name in its folder. */
export function RenameFile({ entry, onClose, onRenamed }: RenameFileProps): ReactNode {
  const { device } = useCurrentDevice();
  const rename = async (renamed: Entry, newName: string): Promise<void> => {
    if (newName === renamed.name) return;
    await renamePath(device.id, renamed.fullPath, newName);
    toast(t('renamed', { name: newName }));
    onRenamed(renamed);
  };
  return (
    <FormDialog<Entry, Field>
      subject={entry}
      onClose={onClose}
      title={({ name }) => t('rename-title', { name })}
      action={() => t('rename')}
      act={(renamed, { newName = '' }) => rename(renamed, newName)}
    >
      {({ name, isDirectory }) => (
        <TextField<Field>
          name="newName"
          label={t('new-name')}
          defaultValue={name}
          required
          maxLength={255}
          autoFocus
          autoComplete="off"
          spellCheck={false}
          // The extension mostly stays.
          onFocus={({ currentTarget }) => currentTarget.setSelectionRange(0, isDirectory ? name.length : stemOf(name).length)}
        />
      )}
    </FormDialog>
  );
}
