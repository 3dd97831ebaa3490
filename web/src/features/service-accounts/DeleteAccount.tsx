import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import { changed } from '../../api/queries.js';
import { ConfirmByName } from '../../ui/confirm/Confirm.js';
import { type Account, ACCOUNTS, type AccountsOf } from './accounts.js';
import { t } from './texts.js';

interface DeleteAccountProps {
  readonly of: AccountsOf;
  /** Null keeps the dialog closed. */
  readonly account: Account | null;
  readonly onClose: () => void;
}

/** Deletes a service account after its name was typed. */
export function DeleteAccount({ of, account, onClose }: DeleteAccountProps): ReactNode {
  const remove = useMutation({
    async mutationFn(id: string) {
      await ACCOUNTS[of].remove(id);
      onClose();
      await changed('service-accounts');
    },
  });
  const name = account?.name ?? '';
  return (
    <ConfirmByName
      open={account !== null}
      onClose={() => {
        remove.reset();
        onClose();
      }}
      title={t('delete-title', { name })}
      action={t('delete')}
      name={name}
      busy={remove.isPending}
      error={remove.error}
      onConfirm={() => {
        if (account !== null) remove.mutate(account.id);
      }}
    >
      {t('delete-text')}
    </ConfirmByName>
  );
}
