import type { ReactNode } from 'react';

import { api, type Schemas } from '../../api/client.js';
import { changed } from '../../api/queries.js';
import { ifMatch, versionOf } from '../../api/versioned.js';
import { versionAs, type Versioned } from '../../state/versioned.js';
import { EditDialog } from '../../ui/edit/EditDialog.js';
import type { Checks } from '../../ui/edit/use-checked.js';
import { TextArea, TextField } from '../../ui/field/Field.js';
import type { FormValues } from '../../ui/form/Form.js';
import { FormDialog } from '../../ui/form/FormDialog.js';
import type { UserGroup } from '../../api/user-groups.js';
import { t } from './texts.js';

type Group = Pick<UserGroup, 'id' | 'name'>;

const pathOf = (userGroupId: string) => ({ path: { userGroupId } });
const formOf = ({ name, description }: Schemas['UserGroupDetailDto']): FormValues => ({ name, description: description ?? '' });
const bodyOf = ({ name = '', description = '' }: FormValues) => ({ name, description: description === '' ? null : description });

const read = async (id: string): Promise<Versioned<FormValues>> =>
  versionAs(await versionOf(api.GET('/api/v1/user-groups/{userGroupId}', { params: pathOf(id) })), formOf);

async function save(id: string, values: FormValues, tag: string | null): Promise<Versioned<FormValues>> {
  const answer = api.PUT('/api/v1/user-groups/{userGroupId}', { params: pathOf(id), body: bodyOf(values), headers: ifMatch(tag) });
  return versionAs(await versionOf(answer), formOf);
}

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
    <FormDialog
      subject={open ? 'new' : null}
      onClose={onClose}
      title={() => t('create-group')}
      action={() => t('create')}
      act={(_, values) => api.POST('/api/v1/user-groups', { body: bodyOf(values) })}
      onDone={() => changed('user-groups')}
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
      onDone={() => changed('user-groups')}
    >
      {(values) => <Fields values={values} />}
    </EditDialog>
  );
}

/** Fields of a group; `values` are empty for a new one. */
function Fields({ values }: { readonly values: FormValues }): ReactNode {
  return (
    <>
      <TextField name="name" label={t('name')} defaultValue={values.name} maxLength={100} required autoFocus autoComplete="off" />
      <TextArea name="description" label={t('description')} defaultValue={values.description ?? ''} maxLength={500} rows={3} />
    </>
  );
}
