import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import { api } from '../../api/client.js';
import { changed } from '../../api/queries.js';
import { Button } from '../../ui/button/Button.js';
import { TextArea, TextField } from '../../ui/field/Field.js';
import { Form, FormActions } from '../../ui/form/Form.js';
import type { UserGroup } from './queries.js';
import { t } from './texts.js';

interface GroupFormProps {
  /** Null makes a new one. */
  readonly group: Pick<UserGroup, 'id' | 'name' | 'description'> | null;
  readonly onDone: () => void;
}

/** Makes or changes a user group. */
export function GroupForm({ group, onDone }: GroupFormProps): ReactNode {
  const save = useMutation({
    async mutationFn({ name = '', description = '' }: Readonly<Record<string, string>>) {
      const body = { name, description: description === '' ? null : description };
      await (group === null
        ? api.POST('/api/v1/user-groups', { body })
        : api.PUT('/api/v1/user-groups/{userGroupId}', { params: { path: { userGroupId: group.id } }, body }));
      onDone();
      await changed('user-groups');
    },
  });
  return (
    <Form error={save.error} onSubmit={(values) => save.mutate(values)}>
      <TextField name="name" label={t('name')} defaultValue={group?.name} maxLength={100} required autoFocus autoComplete="off" />
      <TextArea name="description" label={t('description')} defaultValue={group?.description ?? ''} maxLength={500} rows={3} />
      <FormActions>
        <Button onClick={onDone}>{t('cancel')}</Button>
        <Button type="submit" look="primary" busy={save.isPending}>
          {group === null ? t('create') : t('save')}
        </Button>
      </FormActions>
    </Form>
  );
}
