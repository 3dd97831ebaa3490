import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';

import { useCan } from '../../access/can.js';
import { PresetChoice } from '../../parts/permissions/PresetChoice.js';
import { createUser } from '../../api/people/users.js';
import { Button } from '../../ui/button/Button.js';
import { TextField } from '../../ui/field/Field.js';
import type { Schemas } from '../../model/schemas.js';
import { Form, type FormValues } from '../../ui/form/Form.js';
import { FormActions } from '../../ui/form/FormActions.js';
import { NewPasswordField } from '../../parts/sign-in/NewPasswordField.js';
import { t } from '../../parts/users/texts.js';

type Field = keyof Schemas['CreateUserRequestDto'];

/** Makes a user with a password and the permissions of presets. */
export function CreateUserForm({ onDone }: { readonly onDone: () => void }): ReactNode {
  const mayReadPresets = useCan('tenant.permissions.read');
  const [presets, setPresets] = useState<ReadonlySet<string>>(new Set());
  const create = useMutation({
    mutationFn: ({ userName = '', password = '' }: FormValues<Field>) => createUser({ userName, password, presetNames: [...presets] }),
    onSuccess: onDone,
  });
  return (
    <Form<Field> error={create.error} onSubmit={(values) => create.mutate(values)}>
      <TextField<Field> name="userName" type="email" label={t('email')} maxLength={256} required autoFocus autoComplete="off" />
      <NewPasswordField<Field> name="password" label={t('password')} />
      {mayReadPresets && <PresetChoice chosen={presets} onChange={setPresets} />}
      <FormActions>
        <Button onClick={onDone}>{t('cancel')}</Button>
        <Button type="submit" look="primary" busy={create.isPending}>
          {t('create')}
        </Button>
      </FormActions>
    </Form>
  );
}
