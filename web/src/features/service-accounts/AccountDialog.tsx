import type { ReactNode } from 'react';

import { changed } from '../../api/queries.js';
import { TextArea, TextField } from '../../ui/field/Field.js';
import { FormDialog } from '../../ui/form/FormDialog.js';
import { RadioGroup } from '../../ui/radio-group/RadioGroup.js';
import { type AccessMode, type Account, ACCOUNTS, type AccountsOf } from '../../api/service-accounts.js';
import { t } from './texts.js';

interface AccountDialogProps {
  readonly of: AccountsOf;
  /** Null keeps the dialog closed. */
  readonly account: Account | 'new' | null;
  readonly onClose: () => void;
}

/** Makes or changes a service account. The access mode of a server's account is chosen once. */
export function AccountDialog({ of, account, onClose }: AccountDialogProps): ReactNode {
  return (
    <FormDialog
      subject={account}
      onClose={onClose}
      title={(shown) => (shown === 'new' ? t('create-account') : t('edit-title', { name: shown.name }))}
      action={(shown) => (shown === 'new' ? t('create') : t('save'))}
      act={(shown, { name = '', description = '', accessMode }) => {
        const values = { name, description: description === '' ? null : description };
        // Only accounts of the server have another mode.
        const mode = (accessMode as AccessMode | undefined) ?? 'Restricted';
        return shown === 'new' ? ACCOUNTS[of].create(values, mode) : ACCOUNTS[of].update(shown.id, values);
      }}
      onDone={() => changed('service-accounts')}
    >
      {(shown) => <Fields account={shown === 'new' ? null : shown} hasMode={of === 'server' && shown === 'new'} />}
    </FormDialog>
  );
}

interface FieldsProps {
  /** Null for a new one. */
  readonly account: Account | null;
  readonly hasMode: boolean;
}

function Fields({ account, hasMode }: FieldsProps): ReactNode {
  return (
    <>
      <TextField name="name" label={t('name')} defaultValue={account?.name} maxLength={100} required autoFocus autoComplete="off" />
      <TextArea name="description" label={t('description')} defaultValue={account?.description ?? ''} maxLength={500} rows={3} />
      {hasMode && (
        <RadioGroup<AccessMode>
          name="accessMode"
          label={t('access-mode')}
          defaultValue="Restricted"
          options={[
            { value: 'Restricted', label: t('mode-Restricted'), hint: t('mode-Restricted-text') },
            { value: 'Unrestricted', label: t('mode-Unrestricted'), hint: t('mode-Unrestricted-text') },
          ]}
        />
      )}
    </>
  );
}
