import { type ReactNode, useState } from 'react';

import { useCan } from '../../access/can.js';
import { useSession } from '../../access/session.js';
import { PresetChoice } from '../../parts/permissions/PresetChoice.js';
import { createUser, type User } from '../../api/people/users.js';
import { Banner } from '../../ui/banner/Banner.js';
import { Button } from '../../ui/button/Button.js';
import { useSend } from '../../ui/dialog/use-send.js';
import { TextField } from '../../ui/field/Field.js';
import type { Schemas } from '../../model/schemas.js';
import { Form, type FormValues } from '../../ui/form/Form.js';
import { FormActions } from '../../ui/form/FormActions.js';
import { NewPasswordField } from '../../parts/sign-in/NewPasswordField.js';
import { t } from '../../parts/users/texts.js';

type Field = keyof Schemas['CreateUserRequestDto'];

interface CreateUserFormProps {
  readonly onCancel: () => void;
  /** Follows the creation, even if the form was left before. */
  readonly onCreated: (user: User) => void;
  /** Leaves the form. */
  readonly onFinished: () => void;
  readonly onInvite: () => void;
}

/** Creates a user with a password and the permissions of presets. */
export function CreateUserForm({ onCancel, onCreated, onFinished, onInvite }: CreateUserFormProps): ReactNode {
  const { server } = useSession();
  const mayReadPresets = useCan('tenant.permissions.read');
  const [presets, setPresets] = useState<ReadonlySet<string>>(new Set());
  const { send, isSending, error } = useSend(
    async ({ userName = '', password = '' }: FormValues<Field>) =>
      onCreated(await createUser({ userName, password, presetNames: [...presets] })),
    onFinished,
  );
  return (
    <Form<Field> error={error} onSubmit={send}>
      {server.mustConfirmEmail && !server.isMailSent && (
        <Banner look="warn" actions={<Button onClick={onInvite}>{t('invite-instead')}</Button>}>
          {t('create-no-mail')}
        </Banner>
      )}
      <TextField<Field>
        name="userName"
        type="email"
        label={t('email')}
        hint={server.mustConfirmEmail && server.isMailSent ? t('create-confirm') : undefined}
        maxLength={256}
        required
        autoFocus
        autoComplete="off"
      />
      <NewPasswordField<Field> name="password" label={t('password')} />
      {mayReadPresets && <PresetChoice chosen={presets} onChange={setPresets} />}
      <FormActions>
        <Button onClick={onCancel}>{t('cancel')}</Button>
        <Button type="submit" look="primary" busy={isSending}>
          {t('create')}
        </Button>
      </FormActions>
    </Form>
  );
}
