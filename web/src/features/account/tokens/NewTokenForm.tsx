import { type ReactNode, useId, useState } from 'react';

import type { Schemas } from '../../../api/client.js';
import { createToken } from '../../../api/people/personal-access-tokens.js';
import type { Changes } from '../../../parts/permissions/matrix/contents.js';
import { Button } from '../../../ui/button/Button.js';
import { useSend } from '../../../ui/dialog/use-send.js';
import { TextField } from '../../../ui/field/Field.js';
import { Form, type FormValues } from '../../../ui/form/Form.js';
import { FormActions } from '../../../ui/form/FormActions.js';
import { RadioGroup } from '../../../ui/radio-group/RadioGroup.js';
import { Select } from '../../../ui/select/Select.js';
import { t } from '../texts.js';
import { expiryOf, type Lifetime, LIFETIMES, scopesOf } from './new-token.js';
import { TokenMatrix } from './TokenMatrix.js';

type Field = keyof Schemas['CreatePersonalAccessTokenRequestDto'] | 'lifetime';

type Mode = Schemas['PersonalAccessTokenPermissionMode'];

interface NewTokenFormProps {
  readonly onClose: () => void;
  /** Gets the value of the token, which cannot be read again, and when it expires; null for never. */
  readonly onCreated: (value: string, expiresAt: string | null) => void;
}

/** Makes a token from its name, its lifetime and some of the owner's permissions. */
export function NewTokenForm({ onClose, onCreated }: NewTokenFormProps): ReactNode {
  const form = useId();
  const [permissionMode, setMode] = useState<Mode>('Restricted');
  const [chosen, setChosen] = useState<Changes>(new Map());
  const { send, isSending, error } = useSend(async ({ name = '', lifetime }: FormValues<Field>) => {
    const expiresAt = expiryOf(lifetime as Lifetime, Date.now());
    const value = await createToken({
      name,
      permissionMode,
      scopes: permissionMode === 'Restricted' ? scopesOf([...chosen.values()]) : null,
      expiresAt,
    });
    onCreated(value, expiresAt);
  }, onClose);
  return (
    <>
      <Form<Field> id={form} error={error} onSubmit={send}>
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
      </Form>
      {/* Not in the form: its own dialogs have forms, whose submission this one would take for its own. */}
      {permissionMode === 'Restricted' && <TokenMatrix chosen={chosen} onChosen={setChosen} />}
      <FormActions>
        <Button onClick={onClose}>{t('cancel')}</Button>
        <Button type="submit" form={form} look="primary" busy={isSending} disabled={permissionMode === 'Restricted' && chosen.size === 0}>
          {t('token-create')}
        </Button>
      </FormActions>
    </>
  );
}
