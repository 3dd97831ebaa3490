import type { ReactNode } from 'react';

import { versionAs, type Versioned } from '../../state/versioned.js';
import { EditDialog } from '../../ui/edit/EditDialog.js';
import type { Checks } from '../../ui/edit/use-checked.js';
import { TextArea, TextField } from '../../ui/field/Field.js';
import type { FormValues } from '../../ui/form/Form.js';
import { FormDialog } from '../../ui/form/FormDialog.js';
import {
  createUserGroup,
  readUserGroup,
  updateUserGroup,
  type UserGroup,
  type UserGroupDetails,
  type UserGroupValues,
} from '../../api/people/user-groups.js';
import { t } from './texts.js';
import type { Schemas } from '../../model/schemas.js';

type Field = keyof Schemas['CreateUserGroupRequestDto'];
type Group = Pick<UserGroup, 'id' | 'name'>;

const formOf = ({ name, description }: UserGroupDetails): FormValues<Field> => ({ name, description: description ?? '' });
const valuesOf = ({ name = '', description = '' }: FormValues<Field>): UserGroupValues => ({
  name,
  description: description === '' ? null : description,
});

const read = async (id: string): Promise<Versioned<FormValues<Field>>> => versionAs(await readUserGroup(id), formOf);

const save = async (id: string, values: FormValues<Field>, tag: string | null): Promise<Versioned<FormValues<Field>>> =>
  versionAs(await updateUserGroup(id, valuesOf(values), tag), formOf);

const nameOf = ({ name }: Group): string => name;
const labelOf = (field: string): string => t(field === 'description' ? field : 'name');

/** Reads a group before it is deleted. */
export const GROUP_CHECKS: Checks<Group> = { read: ({ id }) => read(id), nameOf, labelOf };

interface DialogProps {
  readonly onClose: () => void;
}

/** Makes a user group. */
export function NewGroupDialog({ open, onClose }: DialogProps & { readonly open: boolean }): ReactNode {
  return (
    <FormDialog<string, Field>
      subject={open ? 'new' : null}
      onClose={onClose}
      title={() => t('create-group')}
      action={() => t('create')}
      act={(_, values) => createUserGroup(valuesOf(values))}
    >
      {() => <Fields values={{}} />}
    </FormDialog>
  );
}

interface GroupDialogProps extends DialogProps {
  /** Null keeps the dialog closed. */
  readonly group: Group | null;
}

/** Changes a user group. */
export function GroupDialog({ group, onClose }: GroupDialogProps): ReactNode {
  return (
    <EditDialog
      subject={group}
      onClose={onClose}
      title={({ name }) => t('edit-title', { name })}
      nameOf={nameOf}
      labelOf={labelOf}
      of={({ id }) => ({ read: () => read(id), save: (values, tag) => save(id, values, tag) })}
      action={t('save')}
    >
      {(values) => <Fields values={values} />}
    </EditDialog>
  );
}

/** Fields of a group; `values` are empty for a new one. */
function Fields({ values }: { readonly values: FormValues<Field> }): ReactNode {
  return (
    <>
      <TextField<Field> name="name" label={t('name')} defaultValue={values.name} maxLength={100} required autoFocus autoComplete="off" />
      <TextArea<Field> name="description" label={t('description')} defaultValue={values.description ?? ''} maxLength={500} rows={3} />
    </>
  );
}
