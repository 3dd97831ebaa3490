import type { ReactNode } from 'react';

import { TextField } from '../field/Field.js';
import { FormDialog, type FormDialogProps } from '../form/FormDialog.js';
import { t } from '../later-texts.js';

interface RenameDialogProps<T, Name extends string> extends Omit<FormDialogProps<T, Name>, 'description' | 'action' | 'act' | 'children'> {
  /** The name that it has now; empty for a thing without one. */
  readonly nameOf: (subject: T) => string;
  readonly maxLength: number;
  /** Name of the field in the service's errors. */
  readonly field: NoInfer<Name>;
  readonly act: (subject: T, name: string) => Promise<unknown>;
}

/** Gives one thing another name. */
export function RenameDialog<T, Name extends string = never>({
  nameOf,
  maxLength,
  field,
  act,
  ...dialog
}: RenameDialogProps<T, Name>): ReactNode {
  return (
    <FormDialog<T, Name> {...dialog} action={() => t('rename')} act={(subject, values) => act(subject, values[field] ?? '')}>
      {(subject) => (
        <TextField<Name>
          name={field}
          label={t('name')}
          defaultValue={nameOf(subject)}
          maxLength={maxLength}
          autoComplete="off"
          required
          autoFocus
        />
      )}
    </FormDialog>
  );
}
