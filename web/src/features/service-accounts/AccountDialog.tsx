import type { ReactNode } from 'react';

import { versionAs, type Versioned } from '../../state/versioned.js';
import { EditDialog } from '../../ui/edit/EditDialog.js';
import type { Checks } from '../../ui/edit/use-checked.js';
import { TextArea, TextField } from '../../ui/field/Field.js';
import type { Schemas } from '../../model/schemas.js';
import type { FormValues } from '../../ui/form/Form.js';
import { FormDialog } from '../../ui/form/FormDialog.js';
import { RadioGroup } from '../../ui/radio-group/RadioGroup.js';
import { type AccessMode, type Account, ACCOUNTS, type AccountsOf, type AccountValues } from '../../api/people/service-accounts.js';
import { t } from './texts.js';

type Field = keyof Schemas['CreateServerServiceAccountRequestDto'];

const formOf = ({ name, description }: Account): FormValues<Field> => ({ name, description: description ?? '' });
const accountOf = ({ name = '', description = '' }: FormValues<Field>): AccountValues => ({
  name,
  description: description === '' ? null : description,
});

const read = async (of: AccountsOf, id: string): Promise<Versioned<FormValues<Field>>> => versionAs(await ACCOUNTS[of].get(id), formOf);
const save = async (of: AccountsOf, id: string, values: FormValues<Field>, tag: string | null): Promise<Versioned<FormValues<Field>>> =>
  versionAs(await ACCOUNTS[of].update(id, accountOf(values), tag), formOf);

const nameOf = ({ name }: Account): string => name;
const labelOf = (field: string): string => t(field === 'description' ? field : 'name');

/** Reads an account before it is deleted. */
export const accountChecks = (of: AccountsOf): Checks<Account> => ({ read: ({ id }) => read(of, id), nameOf, labelOf });

interface DialogProps {
  readonly of: AccountsOf;
  readonly onClose: () => void;
}

/** Makes a service account. The access mode of a server's account is chosen once. */
export function NewAccountDialog({ of, open, onClose }: DialogProps & { readonly open: boolean }): ReactNode {
  return (
    <FormDialog<string, Field>
      subject={open ? 'new' : null}
      onClose={onClose}
      title={() => t('create-account')}
      action={() => t('create')}
      // Only accounts of the server have another mode.
      act={(_, values) => ACCOUNTS[of].create(accountOf(values), (values.accessMode as AccessMode | undefined) ?? 'Restricted')}
    >
      {() => (
        <>
          <Fields values={{}} />
          {of === 'server' && <AccessModes />}
        </>
      )}
    </FormDialog>
  );
}

interface AccountDialogProps extends DialogProps {
  /** Null keeps the dialog closed. */
  readonly account: Account | null;
}

/** Changes a service account. */
export function AccountDialog({ of, account, onClose }: AccountDialogProps): ReactNode {
  return (
    <EditDialog
      subject={account}
      onClose={onClose}
      title={({ name }) => t('edit-title', { name })}
      nameOf={nameOf}
      labelOf={labelOf}
      of={({ id }) => ({ read: () => read(of, id), save: (values, tag) => save(of, id, values, tag) })}
      action={t('save')}
    >
      {(values) => <Fields values={values} />}
    </EditDialog>
  );
}

/** Fields of an account; `values` are empty for a new one. */
function Fields({ values }: { readonly values: FormValues<Field> }): ReactNode {
  return (
    <>
      <TextField<Field> name="name" label={t('name')} defaultValue={values.name} maxLength={100} required autoFocus autoComplete="off" />
      <TextArea<Field> name="description" label={t('description')} defaultValue={values.description ?? ''} maxLength={500} rows={3} />
    </>
  );
}

function AccessModes(): ReactNode {
  return (
    <RadioGroup<AccessMode, Field>
      name="accessMode"
      label={t('access-mode')}
      defaultValue="Restricted"
      options={[
        { value: 'Restricted', label: t('mode-Restricted'), hint: t('mode-Restricted-text') },
        { value: 'Unrestricted', label: t('mode-Unrestricted'), hint: t('mode-Unrestricted-text') },
      ]}
    />
  );
}
