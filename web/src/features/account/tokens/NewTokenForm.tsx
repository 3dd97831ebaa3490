import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';

import { useSession } from '../../../access/session.js';
import type { Schemas } from '../../../api/client.js';
import { createToken } from '../../../api/people/personal-access-tokens.js';
import { permissionName } from '../../../i18n/permission-names.js';
import { Button } from '../../../ui/button/Button.js';
import { Checkbox } from '../../../ui/checkbox/Checkbox.js';
import { TextField } from '../../../ui/field/Field.js';
import { Form, type FormValues } from '../../../ui/form/Form.js';
import { FormActions } from '../../../ui/form/FormActions.js';
import { RadioGroup } from '../../../ui/radio-group/RadioGroup.js';
import { Select } from '../../../ui/select/Select.js';
import { t } from '../texts.js';
import { expiryOf, type Lifetime, LIFETIMES, offeredPermissions, scopesOf } from './new-token.js';
import css from './NewTokenForm.module.css';

type Field = keyof Schemas['CreatePersonalAccessTokenRequestDto'] | 'lifetime';

type Mode = Schemas['PersonalAccessTokenPermissionMode'];

interface NewTokenFormProps {
  readonly onCancel: () => void;
  /** Gets the value of the token, which cannot be read again, and when it expires; null for never. */
  readonly onCreated: (value: string, expiresAt: string | null) => void;
}

/** Makes a token from its name, its lifetime and some of the owner's permissions. */
export function NewTokenForm({ onCancel, onCreated }: NewTokenFormProps): ReactNode {
  const session = useSession();
  const [permissionMode, setMode] = useState<Mode>('Restricted');
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const create = useMutation({
    async mutationFn({ name = '', lifetime }: FormValues<Field>) {
      const expiresAt = expiryOf(lifetime as Lifetime, Date.now());
      const value = await createToken({
        name,
        permissionMode,
        scopes: permissionMode === 'Restricted' ? scopesOf(chosen, session) : null,
        expiresAt,
      });
      onCreated(value, expiresAt);
    },
  });
  return (
    <Form<Field> error={create.error} onSubmit={(values) => create.mutate(values)}>
      <TextField<Field> name="name" label={t('name')} hint={t('token-name-hint')} maxLength={256} autoComplete="off" required autoFocus />
      <Select<Lifetime, Field>
        name="lifetime"
        label={t('token-expires')}
        defaultValue="90"
        options={LIFETIMES.map((value) => ({ value, label: value === 'never' ? t('never') : t('token-days', { count: Number(value) }) }))}
      />
      <RadioGroup<Mode, Field>
        name="permissionMode"
        label={t('token-may')}
        value={permissionMode}
        onValueChange={setMode}
        options={[
          { value: 'Restricted', label: t('token-restricted'), hint: t('token-restricted-hint') },
          { value: 'InheritOwner', label: t('token-inherits'), hint: t('token-inherits-hint') },
        ]}
      />
      {permissionMode === 'Restricted' && (
        // Scrolls, so the keyboard has to reach it.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        <div className={css.permissions} role="group" aria-label={t('token-rights')} tabIndex={0}>
          {offeredPermissions(session).map((permission) => (
            <Checkbox
              key={permission}
              label={permissionName(permission)}
              checked={chosen.includes(permission)}
              onChange={({ currentTarget: { checked } }) =>
                setChosen(checked ? [...chosen, permission] : chosen.filter((each) => each !== permission))
              }
            />
          ))}
        </div>
      )}
      <FormActions>
        <Button onClick={onCancel}>{t('cancel')}</Button>
        <Button type="submit" look="primary" busy={create.isPending} disabled={permissionMode === 'Restricted' && chosen.length === 0}>
          {t('token-create')}
        </Button>
      </FormActions>
    </Form>
  );
}
