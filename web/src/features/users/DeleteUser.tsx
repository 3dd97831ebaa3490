import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import { api } from '../../api/client.js';
import { changed } from '../../api/queries.js';
import { ConfirmByName } from '../../ui/confirm/Confirm.js';
import { nameOf, type User } from './queries.js';
import { t } from './texts.js';

interface DeleteUserProps {
  /** Null keeps the dialog closed. */
  readonly user: User | null;
  readonly onClose: () => void;
  readonly onDeleted?: () => void;
}

/** Deletes a user after its name was typed. */
export function DeleteUser({ user, onClose, onDeleted }: DeleteUserProps): ReactNode {
  const remove = useMutation({
    async mutationFn(userId: string) {
      await api.DELETE('/api/v1/users/{userId}', { params: { path: { userId } } });
      onClose();
      onDeleted?.();
      await changed('users', 'invites', 'user-groups');
    },
  });
  const name = user === null ? '' : nameOf(user);
  return (
    <ConfirmByName
      open={user !== null}
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
        if (user !== null) remove.mutate(user.id);
      }}
    >
      {t('delete-text')}
    </ConfirmByName>
  );
}
