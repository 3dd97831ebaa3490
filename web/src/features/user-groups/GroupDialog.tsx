import type { ReactNode } from 'react';

import { api } from '../../api/client.js';
import { changed } from '../../api/queries.js';
import { TextArea, TextField } from '../../ui/field/Field.js';
import { FormDialog } from '../../ui/form/FormDialog.js';
import type { UserGroup } from '../../api/user-groups.js';
import { t } from './texts.js';

type Group = Pick<UserGroup, 'id' | 'name' | 'description'>;

interface GroupDialogProps {
  /** Null keeps the dialog closed. */
  readonly group: Group | 'new' | null;
  readonly onClose: () => void;
}

/** Makes or changes a user group. */
export function GroupDialog({ group, onClose }: GroupDialogProps): ReactNode {
  return (
    <FormDialog
      subject={group}
      onClose={onClose}
      title={(shown) => (shown === 'new' ? t('create-group') : t('edit-title', { name: shown.name }))}
      action={(shown) => (shown === 'new' ? t('create') : t('save'))}
      act={(shown, { name = '', description = '' }) => {
        const body = { name, description: description === '' ? null : description };
        return shown === 'new'
          ? api.POST('/api/v1/user-groups', { body })
          : api.PUT('/api/v1/user-groups/{userGroupId}', { params: { path: { userGroupId: shown.id } }, body });
      }}
      onDone={() => changed('user-groups')}
    >
      {(shown) => <Fields group={shown === 'new' ? null : shown} />}
    </FormDialog>
  );
}

interface FieldsProps {
  /** Null for a new one. */
  readonly group: Group | null;
}

function Fields({ group }: FieldsProps): ReactNode {
  return (
    <>
      <TextField name="name" label={t('name')} defaultValue={group?.name} maxLength={100} required autoFocus autoComplete="off" />
      <TextArea name="description" label={t('description')} defaultValue={group?.description ?? ''} maxLength={500} rows={3} />
    </>
  );
}
