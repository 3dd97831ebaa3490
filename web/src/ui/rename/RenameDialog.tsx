import type { ReactNode } from 'react';

import { TextField } from '../field/Field.js';
import { FormDialog, type FormDialogProps } from '../form/FormDialog.js';
import { t } from '../texts.js';
import type { FieldName } from '../form/field-name.js';

interface RenameDialogProps<T> extends Omit<FormDialogProps<T>, 'description' | 'action' | 'act' | 'children'> {
  /** The name that it has now; empty for a thing without one. */
  readonly nameOf: (subject: T) => string;
  readonly maxLength: number;
  /** Name of the field in the service's errors. */
  readonly field?: FieldName;
  readonly act: (subject: T, name: string) => Promise<unknown>;
}

/** Gives one thing another name. */
export function RenameDialog<T>({ nameOf, maxLength, field = 'name', act, ...dialog }: RenameDialogProps<T>): ReactNode {
  return (
    <FormDialog {...dialog} action={() => t('rename')} act={(subject, values) => act(subject, values[field] ?? '')}>
      {(subject) => (
        <TextField
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
