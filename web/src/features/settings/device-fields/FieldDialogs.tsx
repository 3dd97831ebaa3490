import { type ReactNode, useState } from 'react';

import {
  createDeviceField,
  type DeviceField,
  type DeviceFieldType,
  readDeviceField,
  updateDeviceField,
} from '../../../api/devices/device-fields.js';
import { Checkbox } from '../../../ui/checkbox/Checkbox.js';
import { EditDialog } from '../../../ui/edit/EditDialog.js';
import { TextArea, TextField } from '../../../ui/field/Field.js';
import type { FormValues } from '../../../ui/form/Form.js';
import { FormDialog } from '../../../ui/form/FormDialog.js';
import { Select } from '../../../ui/select/Select.js';
import { choicesOf, fieldIn, type FieldName, labelOf, nameOf, TYPES } from './field-form.js';
import { t } from './texts.js';

interface FieldDialogsProps {
  readonly isCreating: boolean;
  readonly onCreated: () => void;
  readonly edited: DeviceField | null;
  readonly onEdited: () => void;
}

/** The dialogs that define a field, and change one. */
export function FieldDialogs({ isCreating, onCreated, edited, onEdited }: FieldDialogsProps): ReactNode {
  return (
    <>
      <FormDialog<string, FieldName>
        subject={isCreating ? 'new' : null}
        onClose={onCreated}
        title={() => t('add')}
        action={() => t('create')}
        act={(_, { name = '', type = 'Text', isListed, choices }) =>
          createDeviceField({ name, type: type as DeviceFieldType, isListed: isListed !== undefined, choices: choicesOf(choices) })
        }
      >
        {() => <NewField />}
      </FormDialog>
      <EditDialog<DeviceField, FieldName>
        subject={edited}
        onClose={onEdited}
        title={({ name }) => t('edit-title', { name })}
        nameOf={nameOf}
        labelOf={labelOf}
        of={({ id }) => ({
          read: async () => fieldIn(await readDeviceField(id)),
          save: async ({ name = '', choices }, tag) =>
            fieldIn(await updateDeviceField(id, { name, ...(choices === undefined ? {} : { choices: choicesOf(choices) }) }, tag)),
        })}
        action={t('save')}
      >
        {(values) => (
          <>
            <Name value={values.name} />
            {edited?.type === 'Choice' && <Choices value={values.choices} />}
          </>
        )}
      </EditDialog>
    </>
  );
}

function NewField(): ReactNode {
  const [type, setType] = useState<DeviceFieldType>('Text');
  return (
    <>
      <Name />
      <Select<DeviceFieldType, FieldName>
        name="type"
        label={t('type')}
        value={type}
        onValueChange={setType}
        options={TYPES.map((value) => ({ value, label: t(`type-${value}`) }))}
      />
      {type === 'Choice' && <Choices />}
      <Checkbox<FieldName> name="isListed" label={t('listed-label')} />
    </>
  );
}

const Name = ({ value }: { readonly value?: FormValues<FieldName>['name'] }): ReactNode => (
  <TextField<FieldName> name="name" label={t('name')} defaultValue={value} maxLength={50} required autoFocus autoComplete="off" />
);

const Choices = ({ value }: { readonly value?: FormValues<FieldName>['choices'] }): ReactNode => (
  <TextArea<FieldName> name="choices" label={t('choices')} hint={t('choices-hint')} defaultValue={value} rows={5} required />
);
