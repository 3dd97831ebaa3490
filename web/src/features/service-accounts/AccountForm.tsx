import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';

import { changed } from '../../api/queries.js';
import { Button } from '../../ui/button/Button.js';
import { TextArea, TextField } from '../../ui/field/Field.js';
import { Form, FormActions } from '../../ui/form/Form.js';
import { RadioGroup } from '../../ui/radio-group/RadioGroup.js';
import { type AccessMode, type Account, ACCOUNTS, type AccountsOf } from './accounts.js';
import { t } from './texts.js';

interface AccountFormProps {
  readonly of: AccountsOf;
  /** Null makes a new one. */
  readonly account: Account | null;
  readonly onDone: () => void;
}

/** Makes or changes a service account. The access mode of a server's account is chosen once. */
export function AccountForm({ of, account, onDone }: AccountFormProps): ReactNode {
  const [accessMode, setAccessMode] = useState<AccessMode>('Restricted');
  const save = useMutation({
    async mutationFn({ name = '', description = '' }: Readonly<Record<string, string>>) {
      const values = { name, description: description === '' ? null : description };
      await (account === null ? ACCOUNTS[of].create(values, accessMode) : ACCOUNTS[of].update(account.id, values));
      onDone();
      await changed('service-accounts');
    },
  });
  return (
    <Form error={save.error} onSubmit={(values) => save.mutate(values)}>
      <TextField name="name" label={t('name')} defaultValue={account?.name} maxLength={100} required autoFocus autoComplete="off" />
      <TextArea name="description" label={t('description')} defaultValue={account?.description ?? ''} maxLength={500} rows={3} />
      {of === 'server' && account === null && (
        <RadioGroup
          name="accessMode"
          label={t('access-mode')}
          value={accessMode}
          onValueChange={setAccessMode}
          options={[
            { value: 'Restricted', label: t('mode-Restricted'), hint: t('mode-Restricted-text') },
            { value: 'Unrestricted', label: t('mode-Unrestricted'), hint: t('mode-Unrestricted-text') },
          ]}
        />
      )}
      <FormActions>
        <Button onClick={onDone}>{t('cancel')}</Button>
        <Button type="submit" look="primary" busy={save.isPending}>
          {account === null ? t('create') : t('save')}
        </Button>
      </FormActions>
    </Form>
  );
}
