import { type ReactNode, useState } from 'react';

import type { DeviceField } from '../../../api/devices/device-fields.js';
import { StoredForm } from '../../../ui/edit/StoredForm.js';
import { TextArea, TextField } from '../../../ui/field/Field.js';
import type { FormValues } from '../../../ui/form/Form.js';
import { Select } from '../../../ui/select/Select.js';
import { toast } from '../../../ui/toast/toasts.js';
import { useCurrentDevice } from '../current-device.js';
import { notesOf } from './notes-form.js';
import { controlOf, MAXIMUM_NOTE_LENGTH, MAXIMUM_VALUE_LENGTH, type NotesField } from './notes-values.js';
import { t } from './texts.js';

interface NotesFormProps {
  readonly fields: readonly DeviceField[];
  readonly onLeave: () => void;
}

/** The note and the fields of the device, to change them all at once. Notices when another editor was faster. */
export function NotesForm({ fields: given, onLeave }: NotesFormProps): ReactNode {
  const { device, name } = useCurrentDevice();
  // The controls stay while the form is open, whatever becomes of the fields.
  const [fields] = useState(given);
  const labelOf = (control: string): string => fields.find((_, at) => controlOf(at) === control)?.name ?? t('note');
  return (
    <StoredForm<NotesField>
      name={name}
      of={notesOf(device.id, fields)}
      labelOf={labelOf}
      action={t('save')}
      cancel={t('cancel')}
      onCancel={onLeave}
      onSaved={() => toast(t('saved'))}
      onFinished={onLeave}
    >
      {(values) => (
        <>
          <TextArea<NotesField>
            name="note"
            label={t('note')}
            hint={t('characters', { count: MAXIMUM_NOTE_LENGTH })}
            defaultValue={values.note}
            rows={6}
            maxLength={MAXIMUM_NOTE_LENGTH}
            autoFocus
          />
          {fields.map((field, at) => (
            <ValueField key={field.id} field={field} control={controlOf(at)} values={values} />
          ))}
        </>
      )}
    </StoredForm>
  );
}

interface ValueFieldProps {
  readonly field: DeviceField;
  readonly control: NotesField;
  readonly values: FormValues<NotesField>;
}

/** The control of a field, by its type. */
function ValueField({ field: { name: label, type, choices }, control: name, values }: ValueFieldProps): ReactNode {
  const value = values[name] ?? '';
  const unset = { value: '', label: t('not-set') };
  switch (type) {
    case 'YesNo': {
      const options = [unset, { value: 'true', label: t('yes') }, { value: 'false', label: t('no') }];
      return <Select<string, NotesField> {...{ name, label, options }} defaultValue={value} />;
    }
    case 'Choice': {
      const known = [...new Set([...choices, ...(value === '' ? [] : [value])])];
      const options = [unset, ...known.map((choice) => ({ value: choice, label: choice }))];
      return <Select<string, NotesField> {...{ name, label, options }} defaultValue={value} />;
    }
    case 'Text':
    case 'Number':
    case 'Date':
    case 'Link':
      return (
        <TextField<NotesField>
          {...{ name, label, ...INPUTS[type] }}
          defaultValue={value}
          maxLength={MAXIMUM_VALUE_LENGTH}
          autoComplete="off"
        />
      );
  }
}

const INPUTS = {
  Text: {},
  Number: { inputMode: 'decimal' },
  Date: { type: 'date' },
  Link: { type: 'url' },
} as const;
