import type { ReactNode } from 'react';

import { DeleteDialog } from '../../ui/confirm/DeleteDialog.js';
import { deleteUser, nameOf, type User } from '../../api/people/users.js';
import { t } from '../../parts/users/texts.js';

interface DeleteUserProps {
  /** Null keeps the dialog closed. */
  readonly user: User | null;
  readonly onClose: () => void;
  readonly onDeleted?: () => void;
}

/** Deletes a user after its name was typed. */
export function DeleteUser({ user, onClose, onDeleted }: DeleteUserProps): ReactNode {
  return (
    <DeleteDialog
      subject={user}
      onClose={onClose}
      nameOf={nameOf}
      title={(shown) => t('delete-title', { name: nameOf(shown) })}
      text={() => t('delete-text')}
      action={() => t('delete')}
      act={({ id }) => deleteUser(id)}
      onDone={() => onDeleted?.()}
    />
  );
}
